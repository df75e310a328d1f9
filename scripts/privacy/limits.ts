import type { AreaRules } from "./area-rules.ts";
import type { Finding } from "./verdicts.ts";

/** What an attack may find. */
export interface Limit {
  /** The largest share of the considered sets that may be shown, 0 to 1. */
  readonly shown: number;
  /** Set if recovered sets are accepted, too. */
  readonly recovers?: true;
}

const LEVELS: Limit = { shown: 0.05 };
/** Where a place has two parts only, the sum of their rounded numbers can exceed its own: about one in a thousand. */
const OVERLAPS: Limit = { shown: 0.005 };

/**
 * The limits of the attacks by name. Those of more than 0 cannot be 0: rounding has borders, and whoever sees two numbers on both sides of
 * one knows that they differ. Nothing may be recovered, with one exception: an arm of a junction, and a road link of a cell, are withheld only
 * below k, so that they are recovered wherever they are shown. What flows in flows out, and trips from a cell are those from its links: no rule of
 * rows changes that.
 */
const STANDARD: Readonly<Record<string, Limit>> = {
  "withheld rows, hour": { shown: 0 },
  "withheld rows, day": { shown: 0 },
  "withheld parts together, hour": LEVELS,
  "withheld parts together, day": LEVELS,
  "km less cell, hour": LEVELS,
  "km less cell, day": LEVELS,
  "area less cell, hour": LEVELS,
  "area less cell, day": LEVELS,
  "area less km, hour": { shown: 0.08 },
  "area less km, day": { shown: 0.08 },
  "municipality less part, hour": LEVELS,
  "municipality less part, day": LEVELS,
  "overlaps, hour": OVERLAPS,
  "overlaps, day": OVERLAPS,
  "day less hour": { shown: 0.05 },
  "withheld hours of a day": { shown: 0 },
  "hour less tick": { shown: 0.65 },
  "day less tick": { shown: 0.65 },
  "two versions (drawn corrections)": { shown: 0.65 },
  "devices less stays_devices": { shown: 0 },
  "stays_count less stays_devices": { shown: 0 },
  "few who stayed": { shown: 0 },
  "stayed at other hours of the day": { shown: 0.2 },
  "trips of pairs less their parts": { shown: 0 },
  "speed of pairs less their parts": { shown: 0 },
  "distance of pairs": { shown: 0 },
  "trips of a road link": { shown: 0.65, recovers: true },
  "trips of a cell's road links together": { shown: 0.65, recovers: true },
  "withheld share": { shown: 1 },
  "links of a road class": { shown: 0 },
  "junctions (drawn, conserved flow)": { shown: 0.65, recovers: true },
};

/** What follows the name of an attack on a country with the strict profile. */
const STRICT = " (strict)";

/** The limits of all attacks. Where hours of the finest type are not published, levels of hours show nothing, and junctions have no arms. */
export const LIMITS: Readonly<Record<string, Limit>> = {
  ...STANDARD,
  ...Object.fromEntries(
    Object.entries(STANDARD).map(([name, { shown }]) => [
      `${name}${STRICT}`,
      { shown: name.endsWith(", hour") || name.startsWith("junctions") ? 0 : shown },
    ]),
  ),
};

/** Returns the name of an attack on a country, by which its limit is found. */
export function attackName(attack: string, { isStrict }: Pick<AreaRules, "isStrict">): string {
  return isStrict ? `${attack}${STRICT}` : attack;
}

/** The largest area under the ROC curve of averages, where a tenth of the hidden device-hours is also in a told cell. */
export const AVERAGED_MAX = 0.6;

/** Whether an attack found more than it may. Without the truth, larger sets count as shown, too, so that only recovered ones are judged. */
export function isPassed(name: string, { considered, shown, recovered }: Finding, hasTruth: boolean): boolean {
  const limit = LIMITS[name] ?? { shown: 0 };
  if (recovered > 0 && !limit.recovers) return true;
  return hasTruth && considered > 0 && shown / considered > limit.shown;
}
