import { draw } from "./map/cell-draws.ts";
import { type CountryMap, countryMaps, type PlacedPlace, type Site } from "./map/country-map.ts";

/** The options that decide where people are and how many. */
export interface SampleSize {
  readonly seed: number;
  /** Scale 1 has about 2,100 inhabited cells of the finest levels that the countries offer. Towns grow with the scale, up to 100. */
  readonly scale: number;
}

/** A 250 m cell where people live or work. */
export interface SampleCell {
  readonly country: string;
  /** The number of the town, over all countries, from 1. */
  readonly town: number;
  readonly municipality: number;
  readonly area: number;
  /** The south-west corner, metres. */
  readonly east: number;
  readonly north: number;
  /** The devices at the busiest hour due to work, and due to home. */
  readonly work: number;
  readonly home: number;
}

/** A town of the sample, as large as the scale makes it. */
export interface Town {
  readonly number: number;
  readonly map: CountryMap;
  readonly place: PlacedPlace;
  /** The distance from the middle at which 37 % of the cells are inhabited, metres. */
  readonly reach: number;
  /** The inhabited cells that hamlets around it have, and how far away they are, metres. */
  readonly hamlets: number;
  readonly hamletsWithin: number;
}

const CELL = 250;
/** Inhabited 250 m cells of a country at scale 1. Estonia has more, because its finest level is the square kilometre. */
const CELLS: Readonly<Record<string, number>> = { EST: 980, LAT: 820, NOR: 960 };
/** The share of a town's cells that are in hamlets. In Estonia they decide the number of square kilometres. */
const IN_HAMLETS: Readonly<Record<string, number>> = { EST: 0.3, LAT: 0.15, NOR: 0.15 };

/** Throws a RangeError if the seed is not a whole number from 0, or if the scale is outside 0.05 to 100. */
export function checkSize({ seed, scale }: SampleSize): void {
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`seed must be a whole number from 0, not ${seed}`);
  if (!(scale >= 0.05 && scale <= 100)) throw new RangeError(`scale must be from 0.05 to 100, not ${scale}`);
}

/** Returns the towns of the sample at a scale, country by country, the capital first. */
export function townsAt(scale: number): Town[] {
  let number = 0;
  return countryMaps().flatMap((map) => {
    const { code } = map.country;
    const all = map.places.reduce((sum, { population }) => sum + population ** 0.55, 0);
    return map.places.map((place) => {
      const cells = ((CELLS[code] ?? 0) * scale * place.population ** 0.55) / all;
      const hamlets = cells * (IN_HAMLETS[code] ?? 0);
      const reach = Math.sqrt(((cells - hamlets) * CELL * CELL) / Math.PI);
      number += 1;
      return { number, map, place, reach, hamlets, hamletsWithin: Math.min(25_000, 4500 + 4 * reach) };
    });
  });
}

let known: { readonly key: string; readonly cells: readonly SampleCell[] } | undefined;

/** Returns the inhabited cells of a sample. Those of the last size are remembered, because each tick of presence needs them. */
export function sampleCells({ seed, scale }: SampleSize): readonly SampleCell[] {
  const key = `${seed} ${scale}`;
  if (known?.key !== key) known = { key, cells: townsAt(scale).flatMap((town) => cellsOfTown(town, seed)) };
  return known.cells;
}

function cellsOfTown(town: Town, seed: number): SampleCell[] {
  const { map, place, reach, hamletsWithin } = town;
  const siteAt = nearestSite(map, place);
  const radius = Math.max(2.6 * reach, hamletsWithin);
  const least = (middle: number): number => Math.floor((middle - radius) / CELL) * CELL;
  const cells: SampleCell[] = [];
  for (let north = least(place.northing); north < place.northing + radius; north += CELL)
    for (let east = least(place.easting); east < place.easting + radius; east += CELL) {
      const away = Math.hypot(east + CELL / 2 - place.easting, north + CELL / 2 - place.northing);
      const inTown = townShare(away, town);
      const chance = draw(seed, east, north, 1);
      const isHamlet = chance >= inTown;
      if (chance >= inTown + hamletShare(away, town)) continue;
      const site = siteAt(east, north);
      if (site?.municipality !== place.code || !isLand(map, east, north)) continue;
      const busiest = isHamlet ? hamletDevices(seed, east, north) : townDevices(town, away, seed, east, north);
      const workShare = 0.12 + 0.68 * Math.exp(-away / (500 + reach)) + 0.1 * draw(seed, east, north, 4);
      const work = Math.round(busiest * workShare);
      const home = Math.round(busiest * (1 - workShare));
      if (work + home === 0) continue;
      cells.push({ country: map.country.code, town: town.number, municipality: place.code, area: site.code, east, north, work, home });
    }
  return cells;
}

/** Returns the share of the cells that the town itself inhabits at a distance from its middle. */
function townShare(away: number, { reach }: Town): number {
  if (away < 180) return 1;
  return away < 3 * reach ? Math.exp(-((away / reach) ** 2)) : 0;
}

/** Returns the share of the cells that hamlets inhabit at a distance from the middle of their town. */
function hamletShare(away: number, { hamlets, hamletsWithin }: Town): number {
  return away < hamletsWithin ? (hamlets * CELL * CELL) / (Math.PI * hamletsWithin ** 2) : 0;
}

/** Four in ten hamlets are a house or two, so they seldom reach the threshold. */
function hamletDevices(seed: number, east: number, north: number): number {
  const [kind, number] = [draw(seed, east, north, 2), draw(seed, east, north, 3)];
  return kind < 0.4 ? 0.6 + 3 * number : 10 + 30 * number;
}

function townDevices({ place, reach }: Town, away: number, seed: number, east: number, north: number): number {
  const peak = 22 * (place.population / 1000) ** 0.37;
  return 15 + 12 * draw(seed, east, north, 2) + peak * Math.exp(-away / (reach + 300)) * (0.4 + 1.2 * draw(seed, east, north, 3));
}

/** Returns whether the middle of a cell is on land. */
function isLand({ landRows }: CountryMap, east: number, north: number): boolean {
  return landRows.get(north)?.some(({ first, last }) => first <= east && east <= last) ?? false;
}

/** Returns the function from a cell to the site whose area has the middle of the square kilometre around it. */
function nearestSite({ sites }: CountryMap, place: PlacedPlace): (east: number, north: number) => Site | undefined {
  const near = sites.filter(({ easting, northing }) => Math.hypot(easting - place.easting, northing - place.northing) < 80_000);
  const byKilometre = new Map<number, Site | undefined>();
  return (east, north) => {
    const [x, y] = [Math.floor(east / 1000), Math.floor(north / 1000)];
    const key = x * 100_000 + y;
    if (!byKilometre.has(key)) byKilometre.set(key, nearest(near, x * 1000 + 500, y * 1000 + 500));
    return byKilometre.get(key);
  };
}

function nearest(sites: readonly Site[], east: number, north: number): Site | undefined {
  let best: Site | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const site of sites) {
    const distance = (site.easting - east) ** 2 + (site.northing - north) ** 2 - site.weight;
    if (distance < least) [best, least] = [site, distance];
  }
  return best;
}
