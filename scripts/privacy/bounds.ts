import { type AreaRules, devicesOf, type Interval } from "./area-rules.ts";
import { type Place, type Places, partOf } from "./places.ts";

/** The published numbers of people of a bucket by id of the place. */
export type Numbers = ReadonlyMap<string, number>;

/** What an attacker concludes of a place in a bucket from the rule and the published numbers of its parts. */
export interface Bound {
  /** The published number; 0 for a row that is not there. */
  readonly number: number;
  /** n', the devices for which the number is published. */
  readonly told: Interval;
  /** The most devices that the row can have beyond n'. */
  readonly hidden: number;
  /** By how many devices n' exceeds that of every told part: k if its number is higher, since lower values are snapped; otherwise 0. */
  readonly above: number;
  /** The direct parts in the geometry, told or not. */
  readonly parts: readonly string[];
}

/** The bounds of a bucket by id of the place: the told rows, and all their parts. */
export type Bounds = ReadonlyMap<string, Bound>;

/** The published hours of a day's places, if the bucket is a day. */
export interface DayHours {
  /** The highest published number among the place's hours. */
  readonly largestNumber: number;
  /** The fewest devices that its told hours have in sum. */
  readonly toldMin: number;
}

/** Returns the direct parts of each place in the geometry. */
export function partsOf(places: Places): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>();
  for (const { id, level, around, straddles } of places.values()) {
    const within = straddles ? undefined : partOf(level, around, (other) => places.has(other) && !places.get(other)?.straddles);
    if (within !== undefined) parts.set(within, [...(parts.get(within) ?? []), id]);
  }
  return parts;
}

/**
 * Returns what follows for each told place of a bucket, and for its parts, by intervals: every world that publishes these numbers lies within.
 * The converse does not hold, so a set that is not shown by them may be shown by all constraints together: the solver's part.
 * @param hours what the place's hours tell, for a day
 */
export function boundsOf(
  places: Places,
  parts: ReadonlyMap<string, readonly string[]>,
  rules: AreaRules,
  numbers: Numbers,
  hours: (id: string) => DayHours | undefined = () => undefined,
): Bounds {
  const bounds = new Map<string, Bound>();
  const visit = (place: Place): Bound => {
    const known = bounds.get(place.id);
    if (known) return known;
    const own = (parts.get(place.id) ?? []).flatMap((id) => places.get(id) ?? []);
    const bound = boundOf(place, own.map(visit), own, rules, numbers.get(place.id) ?? 0, hours(place.id));
    bounds.set(place.id, bound);
    return bound;
  };
  for (const id of numbers.keys()) {
    const place = places.get(id);
    if (place) visit(place);
  }
  return bounds;
}

function boundOf(
  place: Place,
  parts: readonly Bound[],
  own: readonly Place[],
  rules: AreaRules,
  number: number,
  hours: DayHours | undefined,
): Bound {
  const { k, finestLevel, broken } = rules;
  const ids = own.map(({ id }) => id);
  const hiddenOfParts = parts.reduce((sum, { hidden }) => sum + hidden, 0);
  const most = broken?.has("threshold") ? k - 2 : k - 1;
  if (number === 0) {
    // A row of two hiding places at most keeps nothing, so that it can be withheld with more than k - 1 devices.
    const hidden = place.level === finestLevel || place.parts > 2 ? most : Math.min(hiddenOfParts, 2 * most);
    return { number, told: { min: 0, max: 0 }, hidden, above: 0, parts: ids };
  }
  const told = parts.filter((part) => part.number > 0);
  const largestNumber = Math.max(hours?.largestNumber ?? 0, ...told.map((part) => part.number));
  const isSnapped = largestNumber === number && !broken?.has("noSnap");
  const above = number > largestNumber && largestNumber > 0 && !broken?.has("noSnap") ? k : 0;
  const plain = devicesOf(number, rules, place.level === finestLevel && hours === undefined) ?? { min: k, max: k };
  // A snapped row has its part's number, which may be that of fewer devices than the row's own would be.
  const min = Math.max(plain.min, ...told.map((part) => part.told.min + above));
  const range = { min: Math.min(min, plain.max), max: plain.max };
  const hidden = hiddenOf(place, hiddenOfParts, parts, rules) + (isSnapped ? k - 1 : 0);
  const isCut = hours !== undefined && range.max >= hours.toldMin;
  return { number, told: range, hidden: isCut ? Number.POSITIVE_INFINITY : hidden, above, parts: ids };
}

/** Returns the most devices that a told row can lack before it is snapped (rules 5, 6 and 7). */
function hiddenOf(place: Place, hidden: number, parts: readonly Bound[], { k, finestLevel, broken }: AreaRules): number {
  if (place.level === finestLevel || broken?.has("noTakeOut")) return 0;
  if (hidden < k) return hidden;
  // Only finest told parts are sealed for certain; the more are, the less room is left.
  const sealedMost = parts.filter(({ number }) => number > 0).length;
  const size = broken?.has("roomOfInhabited") ? sealedMost : place.parts;
  const room = broken?.has("noRoom") ? Number.POSITIVE_INFINITY : (k - 1) * (size - sealedMost - 1);
  return room >= k ? Math.max(k - 1, hidden - room) : hidden;
}
