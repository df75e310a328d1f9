import { type AreaRules, devicesOf, hasHours, type Interval } from "./area-rules.ts";
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
  /** Whether the row may be told although nothing is published of it: an hour of the finest type in a strict country. */
  readonly isUnseen: boolean;
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
  /** The fewest devices of its busiest told hour. */
  readonly busiestMin: number;
}

/** Returns what the hours of a day tell of a place. */
export function hoursOf(hours: readonly Bounds[]): (id: string) => DayHours {
  return (id) => {
    const told = hours.flatMap((bounds) => {
      const bound = bounds.get(id);
      return bound && bound.number > 0 ? [bound] : [];
    });
    return {
      largestNumber: Math.max(0, ...told.map(({ number }) => number)),
      toldMin: told.reduce((sum, bound) => sum + bound.told.min, 0),
      busiestMin: Math.max(0, ...told.map((bound) => bound.told.min)),
    };
  };
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
  const isUnseen = hours === undefined && !hasHours(place.level, rules);
  const ids = own.map(({ id }) => id);
  const hiddenOfParts = parts.reduce((sum, { hidden }) => sum + hidden, 0);
  const most = broken?.has("threshold") ? k - 2 : k - 1;
  if (number === 0 && isUnseen)
    return { number, told: { min: 0, max: Number.POSITIVE_INFINITY }, hidden: most, above: 0, isUnseen, parts: ids };
  if (number === 0) {
    // A row of two hiding places at most keeps nothing, so that it can be withheld with more than k - 1 devices.
    const hidden = place.level === finestLevel || place.parts > 2 ? most : Math.min(hiddenOfParts, 2 * most);
    return { number, told: { min: 0, max: 0 }, hidden, above: 0, isUnseen, parts: ids };
  }
  // A row may be snapped to a part that nobody sees.
  const hasUnseen = parts.some((part) => part.isUnseen);
  const told = parts.filter((part) => part.number > 0);
  const largestNumber = Math.max(hours?.largestNumber ?? 0, ...told.map((part) => part.number));
  const isSnapped = (largestNumber === number || hasUnseen) && !broken?.has("noSnap");
  const above = number > largestNumber && largestNumber > 0 && !hasUnseen && !broken?.has("noSnap") ? k : 0;
  const plain = devicesOf(number, rules, place.level === finestLevel && hours === undefined) ?? { min: k, max: k };
  // A snapped row has its part's number, which may be that of fewer devices than the row's own would be.
  const min = Math.max(plain.min, above + Math.max(hours?.busiestMin ?? 0, ...told.map((part) => part.told.min)));
  const range = { min: Math.min(min, plain.max), max: plain.max };
  const hidden = hiddenOf(place, parts, rules) + (isSnapped ? k - 1 : 0);
  const isCut = hours !== undefined && !broken?.has("hoursWithoutRoom") && range.max >= hours.toldMin;
  return { number, told: range, hidden: isCut ? Number.POSITIVE_INFINITY : hidden, above, isUnseen, parts: ids };
}

/**
 * Returns the most devices that a told row can lack before it is snapped (rules 5, 6 and 7). Of parts that nobody sees, any number may be told:
 * these hide nobody, and are no places to hide in.
 */
function hiddenOf(place: Place, parts: readonly Bound[], rules: AreaRules): number {
  if (place.level === rules.finestLevel || rules.broken?.has("noTakeOut")) return 0;
  const unseen = parts.filter(({ isUnseen }) => isUnseen);
  const seen = parts.reduce((sum, { hidden, isUnseen }) => (isUnseen ? sum : sum + hidden), 0);
  const told = parts.filter(({ number }) => number > 0).length;
  const ofEach = unseen[0]?.hidden ?? 0;
  const all = Array.from({ length: unseen.length + 1 }, (_, more) =>
    takenOut(place, seen + ofEach * (unseen.length - more), told + more, rules),
  );
  return Math.max(...all);
}

/** Returns the most devices that are taken out of a row whose parts hide so many. */
function takenOut(place: Place, hidden: number, told: number, { k, broken }: AreaRules): number {
  if (hidden < k) return hidden;
  // Only finest told parts are sealed for certain; the more are, the less room is left.
  const size = broken?.has("roomOfInhabited") ? told : place.parts;
  const room = broken?.has("noRoom") ? Number.POSITIVE_INFINITY : (k - 1) * (size - told - 1);
  return room >= k ? Math.max(k - 1, hidden - room) : hidden;
}

/** Returns the most devices that a place can have. */
export function mostOf({ told, hidden }: Bound): number {
  return told.max + hidden;
}
