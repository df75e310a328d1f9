import { hasHours } from "./area-rules.ts";
import { drawnTraces, exactCounts, publishedCounts, type Recovery, recoverTrajectories } from "./attacks/trajectories.ts";
import type { ActivityDay, Country, RawActivity } from "./dataset.ts";
import { townOf } from "./town.ts";

/** What is recovered of the trajectories of people who are drawn into a town of the country, from exact and from published counts. */
export interface RecoveredTrajectories {
  readonly country: string;
  readonly cells: number;
  readonly devices: number;
  readonly exact: Recovery;
  readonly published: Recovery;
}

const DEVICES_MAX = 200;
const DAYS = 3;

/** Draws people as a day's counts have them in its densest town, and recovers their trajectories. Undefined without such a town, and without hours of its cells. */
export function trajectoriesOf(country: Country, raw: ActivityDay<RawActivity>, seed: number): RecoveredTrajectories | undefined {
  const { code, places, activities: rules } = country;
  if (!hasHours(rules.finestLevel, rules)) return undefined;
  const cells = townOf(country, raw, DEVICES_MAX);
  const devices = Math.min(
    DEVICES_MAX,
    cells.reduce((sum, { night }) => sum + night, 0),
  );
  if (devices === 0) return undefined;
  const traces = drawnTraces(cells, devices, DAYS, seed);
  const recover = (counted: (hour: number) => readonly number[]): Recovery =>
    recoverTrajectories(cells, traces, counted, { k: rules.k, seed: seed + 1 });
  return {
    country: code,
    ...{ cells: cells.length, devices },
    exact: recover(exactCounts(cells, traces)),
    published: recover(publishedCounts(places, rules, cells, traces)),
  };
}
