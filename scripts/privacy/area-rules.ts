/** The rules of a country by which areas are published, all of which an attacker knows. */
export interface AreaRules {
  /** The devices from which a row is told. */
  readonly k: number;
  /** Numbers of people are multiples of it. */
  readonly step: number;
  /** People that a device stands for. The attacker takes the country's most for the provider's exact factor. */
  readonly peoplePerDevice: number;
  /** The level of the finest type that the country offers. */
  readonly finestLevel: number;
  /** Whether the provider has protected its counts itself: no taking out, snapping or rounding. */
  readonly isProtected: boolean;
  /** Whether the country has the strict profile: it publishes a part of this, in larger steps. */
  readonly isStrict: boolean;
  /** How the rule is broken. Only tests break it, to see that the attacks find what leaks then; the attacker knows it, too. */
  readonly broken?: ReadonlySet<Break>;
}

/** A way to break the rule, as a mistake in the code would. */
export type Break =
  | "threshold"
  | "noTakeOut"
  | "noRoom"
  | "roomOfInhabited"
  | "noFloor"
  | "noSnap"
  | "hoursWithoutRoom"
  | "straddlingTold"
  | "staysNotSnapped"
  | "staysWithoutHours"
  | "staysExact";

/** The factor from devices to people has few decimals, so that a product that should be whole is within this of a whole number. */
const EPSILON = 1e-6;

/** Returns the people that a number of devices stands for, as providers round: down. */
export function peopleOf(devices: number, { peoplePerDevice }: Pick<AreaRules, "peoplePerDevice">): number {
  return Math.floor(devices * peoplePerDevice + EPSILON);
}

/** Returns the step of published counts of devices: of stays. */
export function deviceStepOf({ k, isStrict, broken }: AreaRules): number {
  if (broken?.has("staysExact")) return 1;
  return isStrict ? 2 * k : k;
}

/** Returns whether hours of a level are published: in the strict profile all but those of the finest type. */
export function hasHours(level: number | undefined, { isStrict, finestLevel }: AreaRules): boolean {
  return !isStrict || level !== finestLevel;
}

/** Returns a number to the nearest multiple of a step, ties up. */
export function nearest(value: number, step: number): number {
  return Math.floor((2 * value + step) / (2 * step)) * step;
}

/** The fewest and the most devices. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the devices that a published number of people can stand for in a row that is told by them, undefined if none can.
 * @param isExact whether the row has exactly these devices; otherwise others were taken out, and the factor was rounded once more
 */
export function devicesOf(people: number, rules: AreaRules, isExact: boolean): Interval | undefined {
  const { k, step, peoplePerDevice } = rules;
  const least = rules.broken?.has("threshold") ? k - 1 : k;
  const fits = (devices: number): boolean =>
    [0, ...(isExact ? [] : [1])].some((less) => Math.max(step, nearest(peopleOf(devices, rules) - less, step)) === people);
  const from = Math.max(least, Math.floor((people - 1.5 * step) / peoplePerDevice));
  const to = Math.ceil((people + 1.5 * step) / peoplePerDevice) + 1;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let devices = from; devices <= to; devices++) {
    if (!fits(devices)) continue;
    min = Math.min(min, devices);
    max = Math.max(max, devices);
  }
  return min <= max ? { min, max } : undefined;
}
