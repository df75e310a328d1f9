import type { PublishedValue } from "./fact-table.ts";

/** How a value of areas is published: expressions that read the columns of the CTEs of `publishedAreas`. */
export interface AreaValue {
  readonly column: string;
  readonly isPeople: boolean;
  /** Whether a day is the sum of its told hours. */
  readonly isOfHours: boolean;
  /** Of a told finest row, for `exact_…`: what it tells before rounding, if other values need it. */
  readonly exact?: string;
  /** Of a told finest row, for `out_…`: the published value. */
  readonly finest: string;
  /** Of a finest row, by column: what rows around it need. They add it up, or of people take the largest. */
  readonly carried: Readonly<Record<string, string>>;
  /** Of a coarser row: the published value. */
  readonly coarser: string;
}

/** Returns an expression for a whole number of 0 or more, rounded to a multiple of a step. Halves round up. */
function nearest(value: string, step: string): string {
  return `DIV(2 * ${value} + ${step}, 2 * ${step}) * ${step}`;
}

/**
 * Returns an expression for the published people of a row of `raw` people that tells `told` of its `n` devices: of its largest told part, if it
 * tells no more than this, and otherwise at least this.
 */
export function peopleNumber(raw: string, largest: string): string {
  return `IF(told = base, ${largest}, GREATEST(${largest}, step, ${nearest(`DIV(${raw} * told, n)`, "step")}))`;
}

/** Returns how the values of a table are published. In a table of days, the told hours have `hours_…` columns. */
export function areaValues(values: readonly PublishedValue[], isDay: boolean): AreaValue[] {
  return values.map((value) => areaValue(value, isDay));
}

function areaValue(value: PublishedValue, isDay: boolean): AreaValue {
  const { column } = value;
  const [raw, out] = [`raw_${column}`, `out_${column}`];
  const isOfHours = isDay && value.rule === "minutes" && value.addsOverHours === true;
  const added = { column, isPeople: false, isOfHours, carried: { [out]: out }, coarser: out };
  switch (value.rule) {
    case "people":
      return { ...added, isPeople: true, finest: peopleNumber(raw, isDay ? `hours_${column}` : "0") };
    case "additive":
      return { ...added, finest: `IF(${raw} = 0, 0, GREATEST(step, ${nearest(raw, "step")}))` };
    case "devices":
      // The told devices without the property must not be 1 to k - 1, nor be known to be some: of fewer than 2k - 1 devices nothing is told.
      return {
        ...added,
        exact: `IF(${raw} < k OR told < 2 * k - 1, 0, IF(told - ${raw} < k, told, ${raw}))`,
        finest: nearest(`exact_${column}`, "device_step"),
      };
    case "events": {
      // Nor must the events after each device's first.
      const devices = `exact_${value.of}`;
      return { ...added, finest: `IF(${devices} = 0, 0, ${nearest(`IF(${raw} - ${devices} < k, ${devices}, ${raw})`, "device_step")})` };
    }
    case "minutes": {
      if (isOfHours) return { ...added, finest: `hours_${column}` };
      const mean = `5 * DIV(2 * ${raw} + 5 * raw_${value.of}, 10 * raw_${value.of})`;
      return { ...added, finest: `IF(exact_${value.of} = 0, 0, ${nearest(`exact_${value.of}`, "device_step")} * ${mean})` };
    }
    case "mean": {
      const [sum, weight, over] = [`sum_${column}`, `weight_${column}`, `out_${value.over}`];
      return { ...added, finest: raw, carried: { [sum]: `${out} * ${over}`, [weight]: over }, coarser: `SAFE_DIVIDE(${sum}, ${weight})` };
    }
    case "distance":
      throw new Error(`${column}: only pairs have a distance`);
  }
}
