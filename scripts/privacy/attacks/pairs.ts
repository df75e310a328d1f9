import type { AreaRules } from "../area-rules.ts";
import type { Country, PublishedPair, RawPair } from "../dataset.ts";
import { LEVEL_TYPES, placeId } from "../places.ts";
import type { Attacked } from "../verdicts.ts";

/** The attacks on the pairs of a day. */
export interface PairsAttacked {
  /** Trips of a coarser or mixed pair that its told finest parts do not add up to. */
  readonly trips: readonly Attacked[];
  /** Coarser pairs whose speed is not the mean of their told finest parts: it names the speed of withheld ones. */
  readonly speeds: readonly Attacked[];
  /** Pairs whose distance is not that of the centroids: it depends on who travelled. */
  readonly distances: readonly Attacked[];
}

const EARTH_RADIUS_M = 6_371_010;
/** Spheres of other radii differ by less. */
const DISTANCE_TOLERANCE = 0.001;
const SPEED_TOLERANCE_KMH = 0.01;

/** The told finest parts of a coarser pair, summed up. */
interface Sum {
  trips: number;
  weighted: number;
  weight: number;
}

/** Attacks the matrix of one day: every coarser or mixed pair against its finest told parts, and distances against the geometry. */
export function attackPairs(country: Country, pairs: readonly PublishedPair[], raw: readonly RawPair[] | undefined): PairsAttacked {
  const { pairs: rules } = country;
  if (!rules) return { trips: [], speeds: [], distances: [] };
  const isFinest = ends(rules);
  const finest = pairs.filter(isFinest);
  const told = new Set(finest.map(keyOf));
  const sums = new Map<string, Sum>();
  for (const pair of finest)
    for (const key of wholesOf(country, pair)) {
      const sum = sums.get(key) ?? { trips: 0, weighted: 0, weight: 0 };
      sums.set(key, sum);
      sum.trips += pair.trips;
      if (pair.speed !== null) {
        sum.weighted += pair.speed * pair.trips;
        sum.weight += pair.trips;
      }
    }
  const hidden =
    raw &&
    withheldDevices(
      country,
      raw.filter((pair) => isFinest(pair) && !told.has(keyOf(pair))),
    );
  const coarser = pairs.filter((pair) => !isFinest(pair));
  return {
    trips: coarser.map((pair) => tripsOf(pair, sums.get(keyOf(pair)), hidden, rules)),
    speeds: coarser.flatMap((pair) => speedOf(pair, sums.get(keyOf(pair)), hidden, rules)),
    distances: pairs.flatMap((pair) => distanceOf(country, pair, rules)),
  };
}

function ends({ finestLevel }: AreaRules): (pair: Pick<PublishedPair, "originType" | "destinationType">) => boolean {
  const isFinest = (type: string): boolean => LEVEL_TYPES.indexOf(type) <= finestLevel;
  return ({ originType, destinationType }) => isFinest(originType) && isFinest(destinationType);
}

function withheldDevices(country: Country, withheld: readonly RawPair[]): ReadonlyMap<string, number> {
  const devices = new Map<string, number>();
  for (const pair of withheld) for (const key of wholesOf(country, pair)) devices.set(key, (devices.get(key) ?? 0) + pair.devices);
  return devices;
}

/** An extra trip names withheld ones; fewer trips than the parts have are a mistake that names nobody, and are counted as one, too. */
function tripsOf(
  pair: PublishedPair,
  sum: Sum | undefined,
  hidden: ReadonlyMap<string, number> | undefined,
  { k, step }: AreaRules,
): Attacked {
  const extra = Math.abs(pair.trips - (sum?.trips ?? 0));
  const devices = hidden && (hidden.get(keyOf(pair)) ?? 0);
  if (extra === 0) return { min: 0, max: Number.POSITIVE_INFINITY, devices, isRefuted: true };
  return { min: 1, max: extra < step ? k - 1 : Number.POSITIVE_INFINITY, devices, isRefuted: false };
}

function speedOf(
  pair: PublishedPair,
  sum: Sum | undefined,
  hidden: ReadonlyMap<string, number> | undefined,
  { k }: AreaRules,
): readonly Attacked[] {
  if (pair.speed === null) return [];
  const mean = sum && sum.weight > 0 ? sum.weighted / sum.weight : Number.NaN;
  const isMean = Math.abs(pair.speed - mean) < SPEED_TOLERANCE_KMH;
  return [
    {
      min: isMean ? 0 : 1,
      max: isMean ? Number.POSITIVE_INFINITY : k - 1,
      devices: hidden && (hidden.get(keyOf(pair)) ?? 0),
      isRefuted: isMean,
    },
  ];
}

/** A distance that is not the centroids' is a mean over trips, withheld ones among them. There is no count to score, so each counts as found. */
function distanceOf({ centroids }: Country, pair: PublishedPair, { k }: AreaRules): readonly Attacked[] {
  const from = centroids.get(`${pair.originType}/${pair.originId}`);
  const to = centroids.get(`${pair.destinationType}/${pair.destinationId}`);
  if (pair.distance === null || !from || !to) return [];
  const straight = greatCircle(from, to);
  const isStraight = Math.abs(pair.distance - straight) <= Math.max(1, straight * DISTANCE_TOLERANCE);
  return [{ min: isStraight ? 0 : 1, max: k - 1, devices: undefined, isRefuted: isStraight }];
}

/** Returns the distance of two points on a sphere, metres. */
export function greatCircle([lonA, latA]: readonly [number, number], [lonB, latB]: readonly [number, number]): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (a: number, b: number): number => Math.sin(radians(b - a) / 2) ** 2;
  const h = half(latA, latB) + Math.cos(radians(latA)) * Math.cos(radians(latB)) * half(lonA, lonB);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Returns the keys of the pairs that a finest pair is a part of. */
function wholesOf({ placesOfPairs }: Country, pair: EndsOfPair): string[] {
  const around = (type: string, id: number): readonly string[] => {
    const level = LEVEL_TYPES.indexOf(type);
    const own = level < 0 ? undefined : placesOfPairs.get(placeId(level, id));
    return own ? own.around.flatMap((place) => place ?? []) : [endId(type, id)];
  };
  const origins = around(pair.originType, pair.originId);
  const destinations = around(pair.destinationType, pair.destinationId);
  return origins.flatMap((origin) => destinations.map((destination) => `${origin}>${destination}`));
}

type EndsOfPair = Pick<PublishedPair, "originType" | "originId" | "destinationType" | "destinationId">;

function keyOf({ originType, originId, destinationType, destinationId }: EndsOfPair): string {
  return `${endId(originType, originId)}>${endId(destinationType, destinationId)}`;
}

function endId(type: string, id: number): string {
  const level = LEVEL_TYPES.indexOf(type);
  return level < 0 ? `${type}/${id}` : placeId(level, id);
}
