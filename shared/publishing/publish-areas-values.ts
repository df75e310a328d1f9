import type { PublishedValue } from "./fact-table.ts";
import { nearestMultiple, nearestStep } from "./nearest-step.ts";

/** How a value of areas is published: expressions that read the columns of the CTEs of `publishedAreas`. */
export interface AreaValue {
  readonly column: string;
  readonly isPeople: boolean;
  /** Of a day, by column: what it needs of its told hours, an aggregate of `out_…`. */
  readonly hours: Readonly<Record<string, string>>;
  /** Of a told finest row, for `exact_…`: what it tells before rounding, if other values need it. */
  readonly exact?: string;
  /** Of a told finest row, for `out_…`: the published value. */
  readonly finest: string;
  /** Of a finest row, by column: what rows around it need. They add it up, or of people take the largest. */
  readonly carried: Readonly<Record<string, string>>;
  /** Of a coarser row: the published value. */
  readonly coarser: string;
}

/**
 * Returns an expression for the published people of a row of `raw` people that tells `told` of its `n` devices: of its largest told part, if it
 * tells no more than this, and otherwise at least this. Devices that were taken out may stand for more people than the others: the number is of no
 * more than `most` people, which all that is told around it could have.
 */
export function peopleNumber(raw: string, largest: string, ...most: readonly string[]): string {
  const share = `DIV(${raw} * told, n)`;
  const people = most.length > 0 ? `LEAST(${[share, ...most].join(", ")})` : share;
  return `IF(told = base, ${largest}, GREATEST(${largest}, step, ${nearestMultiple(people, "step")}))`;
}

/** Returns an expression for the most people that are published as these people, or as a sum of `numbers` numbers. */
export function mostPublishedAs(people: string, numbers = "1"): string {
  return `${people} + ${numbers} * DIV(step - 1, 2)`;
}

/** Returns an expression for the most people of a row whose parts have at most `most` and tell `devices`: what else it tells may stand for the most. */
export function mostBeside(most: string, devices: string): string {
  return `${most} + CAST(FLOOR(GREATEST(told - ${devices}, 0) * people_of_device) AS INT64)`;
}

/** Returns an expression for the most people of a day, of those of its told hours. */
export function mostOfHours(column: string): string {
  return mostBeside(mostPublishedAs(`hours_sum_${column}`, "(hours_all - hours_absent)"), "hours_told");
}

/**
 * Returns an expression for the devices of a day that can be told: of what its told hours do not hold, no more than its other hours could hold
 * without any one of them being forced.
 */
export function cappedByHours(devices: string, told = "hours_told", absent = "hours_absent"): string {
  const room = `(k - 1) * (${absent} - 1)`;
  return `LEAST(${devices}, ${told} + IF(LEAST(${devices} - ${told}, ${room}) >= k, ${room}, 0))`;
}

/** Returns how the values of a table are published. In a table of days, the told hours have `hours_…` columns. */
export function areaValues(values: readonly PublishedValue[], isDay: boolean): AreaValue[] {
  return values.map((value) => areaValue(value, isDay));
}

/** What a day needs of the hours of a count: the largest, their sum, and how many have one. */
function hoursOf(column: string): Readonly<Record<string, string>> {
  const out = `out_${column}`;
  return { [`hours_${column}`]: `MAX(${out})`, [`hours_sum_${column}`]: `SUM(${out})`, [`hours_with_${column}`]: `COUNTIF(${out} > 0)` };
}

/** Returns an expression for what of a day's count can be told beside its hours: an hour without a number of its own can hide fewer than k. */
function counted(count: string, column: string): string {
  return cappedByHours(count, `hours_sum_${column}`, `(hours_all - hours_with_${column})`);
}

function areaValue(value: PublishedValue, isDay: boolean): AreaValue {
  const { column } = value;
  const [raw, out] = [`raw_${column}`, `out_${column}`];
  const added = { column, isPeople: false, hours: {}, carried: { [out]: out }, coarser: out };
  const most = `hours_${column}`;
  const hoursOfCount = isDay ? hoursOf(column) : {};
  switch (value.rule) {
    case "people": {
      const number = isDay ? peopleNumber(raw, most, mostOfHours(column)) : peopleNumber(raw, "0");
      const hours = { [most]: `MAX(${out})`, [`hours_sum_${column}`]: `SUM(${out})` };
      return { ...added, isPeople: true, hours: isDay ? hours : {}, finest: number };
    }
    case "additive":
      return { ...added, finest: `IF(${raw} = 0, 0, ${nearestStep(raw, "step")})` };
    case "devices": {
      // The told devices without the property must not be 1 to k - 1, nor be known to be some: of fewer than 2k - 1 devices nothing is told. Whoever
      // has it in an hour has it in the day: so a day is not below its hours, nor must those be who have it in the day, but not in an hour.
      const [least, own, all] = isDay ? [most, counted(raw, column), counted("told", column)] : ["0", raw, "told"];
      return {
        ...added,
        hours: hoursOfCount,
        exact: `IF(${own} - ${least} < k OR ${all} - ${least} < 2 * k - 1, ${least}, IF(${all} - ${own} < k, ${all}, ${own}))`,
        finest: nearestMultiple(`exact_${column}`, "device_step"),
      };
    }
    case "events": {
      // Nor must the events after each device's first.
      const devices = `exact_${value.of}`;
      const [least, own] = isDay ? [`GREATEST(${devices}, ${most})`, counted(raw, column)] : [devices, raw];
      const events = nearestMultiple(`IF(${own} - ${least} < k, ${least}, ${own})`, "device_step");
      return { ...added, hours: hoursOfCount, finest: `IF(${devices} = 0, 0, ${events})` };
    }
    case "minutes": {
      if (isDay && value.addsOverHours) return { ...added, hours: { [most]: `SUM(${out})` }, finest: most };
      const mean = `5 * DIV(2 * ${raw} + 5 * raw_${value.of}, 10 * raw_${value.of})`;
      return { ...added, finest: `IF(exact_${value.of} = 0, 0, ${nearestMultiple(`exact_${value.of}`, "device_step")} * ${mean})` };
    }
    case "mean": {
      const [sum, weight, over] = [`sum_${column}`, `weight_${column}`, `out_${value.over}`];
      return {
        ...added,
        finest: `ROUND(${raw})`,
        carried: { [sum]: `${out} * ${over}`, [weight]: over },
        coarser: `SAFE_DIVIDE(${sum}, ${weight})`,
      };
    }
    case "distance":
      throw new Error(`${column}: only pairs have a distance`);
  }
}
