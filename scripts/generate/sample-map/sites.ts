import type { SamplePlace } from "../../../infra/local/sample/map/sample-places.ts";
import type { Crs, Position } from "../../../shared/geometry/crs.ts";
import { project } from "../../../shared/geometry/projection.ts";

/** The site of an area: the area is what is nearer to it than to other sites, after `weight` (square metres) is taken off. */
export interface Site extends Position {
  readonly code: number;
  readonly name: string;
  readonly place: SamplePlace;
  readonly weight: number;
}

/** The middle areas of the largest towns have the names of their old towns. */
const CENTRES: Readonly<Record<string, string>> = {
  Tallinn: "Vanalinn",
  Tartu: "Kesklinn",
  Pärnu: "Rannarajoon",
  Rīga: "Vecrīga",
  Daugavpils: "Daugavpils cietoksnis",
  Liepāja: "Vecliepāja",
  Oslo: "Sentrum",
  Bergen: "Bryggen",
  Trondheim: "Midtbyen",
};
const DIRECTIONS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
/** For places from a population on: the areas of each ring around the middle one, and the rings' radii in metres. */
const RINGS: readonly (readonly [population: number, ...rings: readonly (readonly [areas: number, radius: number])[]])[] = [
  [250_000, [6, 3000], [8, 7500]],
  [60_000, [5, 2700], [6, 6500]],
  [15_000, [5, 2600]],
  [5_000, [4, 2600]],
  [0, [3, 2600]],
];

/**
 * Returns the sites of the areas in and around each place of a country: the middle one, and rings of others. The outer ones lie further out
 * where no other place is near.
 * @param unit factor from a municipality's code to the codes of its areas
 */
export function sitesOf(places: readonly SamplePlace[], crs: Crs, unit: number): Site[] {
  const at = places.map(({ lon, lat }) => project(crs, [lon, lat]));
  return places.flatMap((place, index) => {
    const middle = at[index] ?? { easting: 0, northing: 0 };
    const free = Math.min(...at.map((other, number) => (number === index ? Number.POSITIVE_INFINITY : distance(middle, other))));
    const [, ...rings] = RINGS.find(([population]) => place.population >= population) ?? [0];
    const weight = Math.round((1200 * (place.population / 10_000) ** 0.25) ** 2);
    const site = (number: number, name: string, { easting, northing }: Position): Site => ({
      ...{ code: place.code * unit + number, name, place, weight },
      ...{ easting: Math.round(easting), northing: Math.round(northing) },
    });
    const sites = [site(1, CENTRES[place.name] ?? `${place.name} centre`, middle)];
    for (const [ring, [areas, least]] of rings.entries()) {
      const isOuter = ring === rings.length - 1;
      const radius = isOuter ? Math.max(least, Math.min(0.3 * free, 9000)) : least;
      const turn = ((place.code * 37 + ring * 23) % 45) - 22;
      for (let number = 0; number < areas; number++) {
        const bearing = turn + (360 * number) / areas;
        const angle = (bearing * Math.PI) / 180;
        const where = DIRECTIONS[Math.round((bearing + 360) / 45) % 8] ?? "";
        const further = radius * (1 + ((place.code * 13 + number * 29) % 40) / 100);
        const position = { easting: middle.easting + further * Math.sin(angle), northing: middle.northing + further * Math.cos(angle) };
        sites.push(site(sites.length + 1, `${place.name} ${isOuter && ring > 0 ? "outer " : ""}${where}`, position));
      }
    }
    return sites;
  });
}

function distance(a: Position, b: Position): number {
  return Math.hypot(a.easting - b.easting, a.northing - b.northing);
}
