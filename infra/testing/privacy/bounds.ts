/** The rules by which counts are published, all of which an attacker knows. */
export interface Rules {
  /** The devices from which a row is told. */
  readonly k: number;
  /** Published people are multiples of it. */
  readonly step: number;
  /** The people that a device stands for. */
  readonly peopleOfDevice: number;
  /** Whether hidden parts are taken out of coarser rows, and rows snapped to their parts. If not, numbers are only rounded. */
  readonly takesOut: boolean;
}

/** The fewest and the most devices. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** What an attacker concludes of a geography in an hour or a day. */
export interface Bound {
  /** Its published people; 0 if it has no row. */
  readonly number: number;
  /** The devices that its number tells. */
  readonly told: Interval;
  /** The most devices that it has beyond them. */
  readonly hidden: number;
  /** By how many devices it tells more than each of its told parts, at least. */
  readonly above: number;
}

/** Bounds by the name of the geography. */
export type Bounds = ReadonlyMap<string, Bound>;

/** The parts of each geography in the geometry, by name. Those of the finest level are not in it. */
export type Parts = ReadonlyMap<string, readonly string[]>;

/** What the told hours of a geography's day tell. */
export interface Hours {
  /** The highest published number. */
  readonly largest: number;
  /** The devices of the busiest hour, at least. */
  readonly busiest: number;
  /** The devices of the told hours in sum, at least, and of all hours, at most. */
  readonly sum: Interval;
}

/** Returns what follows from published people for each geography, see `infra/warehouse/privacy.md`. */
export function boundsOf(parts: Parts, rules: Rules, numbers: ReadonlyMap<string, number>, hours?: ReadonlyMap<string, Hours>): Bounds {
  const bounds = new Map<string, Bound>();
  const visit = (place: string): Bound => {
    const found = bounds.get(place) ?? boundOf(parts.get(place)?.map(visit), rules, numbers.get(place) ?? 0, hours?.get(place));
    bounds.set(place, found);
    return found;
  };
  for (const place of parts.keys()) visit(place);
  return bounds;
}

function boundOf(parts: readonly Bound[] | undefined, rules: Rules, number: number, hours: Hours | undefined): Bound {
  const { k, takesOut } = rules;
  const ofParts = parts?.reduce((sum, part) => sum + mostOf(part), 0) ?? Number.POSITIVE_INFINITY;
  if (number === 0) {
    // With two parts at most, all devices of a row are taken out: it is withheld, however many it has.
    const hidden = takesOut && parts && parts.length <= 2 ? ofParts : Math.min(k - 1, ofParts);
    return { number, told: { least: 0, most: 0 }, hidden, above: 0 };
  }
  const isCounted = !takesOut || (parts === undefined && hours === undefined);
  const own = devicesOf(number, rules, isCounted);
  if (isCounted) return { number, told: own, hidden: 0, above: 0 };
  const toldParts = parts?.filter((part) => part.number > 0) ?? [];
  const largest = Math.max(hours?.largest ?? 0, ...toldParts.map((part) => part.number));
  const above = largest > 0 && number > largest ? k : 0;
  const least = Math.max(own.least, above + Math.max(hours?.busiest ?? 0, ...toldParts.map(({ told }) => told.least)));
  const hiddenInParts = parts?.reduce((sum, part) => sum + part.hidden, 0) ?? 0;
  const snapped = number === largest ? k - 1 : 0;
  // Of a day that exceeds its told hours, what the others could not hold is taken out.
  const isCut = hours !== undefined && own.most >= hours.sum.least;
  const hidden = isCut ? Number.POSITIVE_INFINITY : takenOut(parts?.length ?? 0, toldParts.length, hiddenInParts, rules) + snapped;
  const most = Math.min(ofParts, hours?.sum.most ?? Number.POSITIVE_INFINITY);
  return { number, told: { least, most: own.most }, hidden: Math.min(hidden, most - least), above };
}

/** The most devices that are taken out of a told row, if its parts hide so many. */
function takenOut(parts: number, toldParts: number, hidden: number, { k }: Rules): number {
  if (hidden < k) return hidden;
  // An attacker does not know which told parts are full: perhaps all, which leaves the least room.
  const room = (k - 1) * (parts - toldParts - 1);
  return room < k ? hidden : Math.max(k - 1, hidden - room);
}

/** Returns the most devices of a geography. */
export function mostOf({ told, hidden }: Bound): number {
  return told.most + hidden;
}

/**
 * Returns the devices whose people are published as a number.
 * @param isCounted whether the number is of all devices of the row; if some were taken out, its people were rounded down once more
 */
function devicesOf(number: number, { k, step, peopleOfDevice }: Rules, isCounted: boolean): Interval {
  const fits = (devices: number): boolean => {
    const people = peopleOf(devices, peopleOfDevice);
    return rounded(people, step) === number || (!isCounted && rounded(people - 1, step) === number);
  };
  const [first, last] = [(number - 1.5 * step) / peopleOfDevice, (number + 1.5 * step) / peopleOfDevice + 1];
  const all: number[] = [];
  for (let devices = Math.max(k, Math.floor(first)); devices <= last; devices++) if (fits(devices)) all.push(devices);
  const [least, most] = [all[0], all.at(-1)];
  if (least === undefined || most === undefined) throw new RangeError(`no devices are published as ${number} people`);
  return { least, most };
}

/** Returns the people that devices stand for, rounded down. A factor has few decimals, so that a product near a whole number is one. */
export function peopleOf(devices: number, peopleOfDevice: number): number {
  return Math.floor(devices * peopleOfDevice + 1e-6);
}

/** Returns people to the nearest step, ties up, and at least one step. */
export function rounded(people: number, step: number): number {
  return Math.max(step, Math.floor((2 * people + step) / (2 * step)) * step);
}
