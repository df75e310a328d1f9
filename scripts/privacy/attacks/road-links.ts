import { type AreaRules, devicesOf, type Interval } from "../area-rules.ts";
import type { Country, PublishedPair, RawPair } from "../dataset.ts";
import { LEVEL_TYPES, LINKS, linkEnd, placeId } from "../places.ts";
import type { Attacked } from "../verdicts.ts";

/** The attacks on the pairs of road links of a day. */
export interface LinksAttacked {
  /** Withheld pairs with a link at an end. Without the truth only those that are shown: nobody can list the others. */
  readonly pairs: readonly Attacked[];
  /** All withheld pairs of the links of a told pair's cells, together. */
  readonly together: readonly Attacked[];
}

/** The ends of a pair, each a link, or a place of the finest type. */
type Ends = readonly [origin: string, destination: string];
type Pair = Pick<PublishedPair, "originType" | "originId" | "destinationType" | "destinationId">;

/** Which ends of a pair of cells are seen link by link. */
const SIDES = [[0], [1], [0, 1]] as const;
type Sides = (typeof SIDES)[number];

/** The told and the withheld pairs of links whose trips are those of a pair of cells. */
interface Parts {
  readonly told: Set<string>;
  /** The fewest devices of those that lie in the cells whole, and the most of all of them. */
  readonly devices: { min: number; max: number };
  withheld: number;
}

const NO_PARTS: Parts = { told: new Set(), devices: { min: 0, max: 0 }, withheld: 0 };

/** A told pair of cells, at some ends link by link. */
interface Seen {
  readonly whole: Ends;
  readonly sides: Sides;
  /** The links at each of these ends. */
  readonly links: readonly (readonly string[])[];
  readonly told: ReadonlySet<string>;
  /** How many of its pairs of links are not told. */
  readonly hidden: number;
  /** The devices that those can have together. */
  readonly range: Interval;
  /** The devices that those of them have that were delivered. */
  readonly withheld: number;
}

/**
 * Attacks the matrix of a day where it counts by road links beside cells: a trip that starts in a cell starts on a link that passes it, so what a
 * told pair of cells has beyond its told pairs of links is in withheld ones. Likewise where it ends, and for both ends. Rows of several days, and
 * totals of origins or destinations, are sums of these rows: they tell no more. Where the provider's links and cells are not the same trips, the
 * attacker errs. With the truth, such pairs of cells are left out.
 */
export function attackLinks(country: Country, pairs: readonly PublishedPair[], raw: readonly RawPair[] | undefined): LinksAttacked {
  const { pairs: rules, placesOfLinks } = country;
  if (!rules || placesOfLinks.size === 0) return { pairs: [], together: [] };
  const finest = pairs.filter((pair) => isFinest(pair, rules));
  const published = new Set(finest.map((pair) => keyOf(endsOf(pair))));
  const withheld = raw?.filter((pair) => isFinest(pair, rules) && hasLink(pair) && !published.has(keyOf(endsOf(pair))));
  const parts = partsOf(
    placesOfLinks,
    rules,
    finest.filter((pair) => hasLink(pair)),
    withheld ?? [],
  );
  const seen = [...seenByLinks(placesOfLinks, rules, finest, parts)].filter(
    ({ withheld: devices, range }) => !raw || (devices >= range.min && devices <= range.max),
  );
  const shown = shownPairs(seen, rules);
  const set = (min: number, devices: number | undefined): Attacked => ({ min, max: rules.k - 1, devices, isRefuted: min === 0 });
  return {
    pairs: withheld
      ? withheld.map((pair) => set(shown.get(keyOf(endsOf(pair))) ?? 0, pair.devices))
      : [...shown.values()].map((min) => set(min, undefined)),
    together: seen.flatMap(({ hidden, range, withheld: devices }) =>
      hidden > 1 ? [{ ...range, devices: raw && devices, isRefuted: range.min === 0 }] : [],
    ),
  };
}

/** Returns the told pairs of cells whose links are counted, and what their withheld pairs of links can have. */
function* seenByLinks(
  placesOfLinks: Country["placesOfLinks"],
  rules: AreaRules,
  finest: readonly PublishedPair[],
  parts: ReadonlyMap<string, Parts>,
): Generator<Seen> {
  const linksOfPlaces = inverted(placesOfLinks);
  const types = new Set(finest.map((pair) => typesOf(endsOf(pair))));
  for (const pair of finest)
    for (const sides of SIDES) {
      const whole = endsOf(pair);
      const links = sides.map((side) => linksOfPlaces.get(whole[side]) ?? []);
      if (links.some(({ length }) => length === 0) || !types.has(typesOf(replaced(whole, sides, () => LINKS)))) continue;
      const { told, devices, withheld } = parts.get(wholeKey(whole, sides)) ?? NO_PARTS;
      const hidden = links.reduce((product, { length }) => product * length, 1) - told.size;
      const areWhole = links.every((some) => some.every((link) => placesOfLinks.get(link)?.length === 1));
      const range = hiddenRange(devicesOf(pair.trips, rules, true), devices, areWhole, hidden * (rules.k - 1));
      if (range && hidden > 0) yield { whole, sides, links, told, hidden, range, withheld };
    }
}

/** Returns the fewest devices of each pair of links that must have some, however many the others have. */
function shownPairs(seen: readonly Seen[], { k }: AreaRules): ReadonlyMap<string, number> {
  const shown = new Map<string, number>();
  for (const { whole, sides, links, told, hidden, range } of seen) {
    const min = range.min - (hidden - 1) * (k - 1);
    if (min <= 0) continue;
    for (const key of candidates(whole, sides, links)) if (!told.has(key)) shown.set(key, Math.max(shown.get(key) ?? 0, min));
  }
  return shown;
}

/** Returns the devices that withheld pairs have: those of the whole that are in no told one. Undefined if the numbers contradict the premise. */
function hiddenRange(whole: Interval | undefined, told: Interval, areWhole: boolean, most: number): Interval | undefined {
  if (!whole) return undefined;
  const min = Math.max(0, whole.min - told.max);
  // A link that leaves the cell has trips elsewhere, too.
  const max = areWhole ? Math.min(most, whole.max - told.min) : most;
  return min <= max ? { min, max } : undefined;
}

/** Returns the parts of the pairs of cells, by `wholeKey`. */
function partsOf(
  placesOfLinks: Country["placesOfLinks"],
  rules: AreaRules,
  told: readonly PublishedPair[],
  withheld: readonly RawPair[],
): ReadonlyMap<string, Parts> {
  const parts = new Map<string, Parts>();
  const wholesOf = (pair: Pair): readonly { readonly part: Parts; readonly isWithin: boolean }[] => {
    const ends = endsOf(pair);
    const around = ends.map((end) => placesOfLinks.get(end) ?? []);
    return SIDES.filter((sides) => sides.every((side) => ends[side].startsWith(LINKS))).flatMap((sides) => {
      const [origins = [], destinations = []] = ends.map((end, side) => (sides.some((one) => one === side) ? (around[side] ?? []) : [end]));
      return origins.flatMap((origin) =>
        destinations.map((destination) => {
          const key = wholeKey([origin, destination], sides);
          const part = parts.get(key) ?? { told: new Set(), devices: { min: 0, max: 0 }, withheld: 0 };
          parts.set(key, part);
          return { part, isWithin: origins.length * destinations.length === 1 };
        }),
      );
    });
  };
  for (const pair of told) {
    const devices = devicesOf(pair.trips, rules, true);
    for (const { part, isWithin } of wholesOf(pair)) {
      part.told.add(keyOf(endsOf(pair)));
      part.devices.max += devices?.max ?? Number.POSITIVE_INFINITY;
      if (isWithin) part.devices.min += devices?.min ?? 0;
    }
  }
  for (const pair of withheld) for (const { part } of wholesOf(pair)) part.withheld += pair.devices;
  return parts;
}

/** Returns the keys of all pairs of the links of a pair of cells. */
function candidates(whole: Ends, sides: readonly number[], links: readonly (readonly string[])[]): string[] {
  const [origins = [], destinations = []] = whole.map((end, side) => links[sides.indexOf(side)] ?? [end]);
  return origins.flatMap((origin) => destinations.map((destination) => keyOf([origin, destination])));
}

function inverted(placesOfLinks: Country["placesOfLinks"]): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>();
  for (const [link, places] of placesOfLinks)
    for (const place of places) {
      const own = links.get(place);
      if (own) own.push(link);
      else links.set(place, [link]);
    }
  return links;
}

function isFinest({ originType, destinationType }: Pair, { finestLevel }: AreaRules): boolean {
  return [originType, destinationType].every((type) => type === LINKS || type === LEVEL_TYPES[finestLevel]);
}

function hasLink({ originType, destinationType }: Pair): boolean {
  return originType === LINKS || destinationType === LINKS;
}

function endsOf({ originType, originId, destinationType, destinationId }: Pair): Ends {
  const end = (type: string, id: number): string => (type === LINKS ? linkEnd(id) : placeId(LEVEL_TYPES.indexOf(type), id));
  return [end(originType, originId), end(destinationType, destinationId)];
}

function replaced(ends: Ends, sides: readonly number[], by: (end: string) => string): Ends {
  const at = (side: 0 | 1): string => (sides.includes(side) ? by(ends[side]) : ends[side]);
  return [at(0), at(1)];
}

/** Returns the types of a pair's ends: links, or cells. */
function typesOf(ends: Ends): string {
  return ends.map((end) => (end.startsWith(LINKS) ? LINKS : "cell")).join(">");
}

function keyOf(ends: Ends): string {
  return ends.join(">");
}

function wholeKey(ends: Ends, sides: Sides): string {
  return `${sides.join("")} ${keyOf(ends)}`;
}
