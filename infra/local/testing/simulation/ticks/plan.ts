import { CALM, drawRates, type FaultRates } from "../faults.ts";
import { type Random, randomOf } from "../random.ts";
import type { WarehouseManner } from "./memory-warehouse-jobs.ts";

const MINUTE_MS = 60_000;
const UNSERVED_SEED = 7_000_000_001;

/** How everything around the ticks behaves for a while. */
export interface Weather {
  readonly rates: FaultRates;
  readonly warehouse: WarehouseManner;
  /** The shares of firings that never come, come twice, and come late, and how late these are at most. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  readonly lateMs: number;
  /** How often the scheduler repeats a firing that fails. */
  readonly retries: number;
}

/** What one schedule is about, drawn before it begins. */
export interface Plan {
  readonly customers: number;
  readonly maps: number;
  /** What customers do with their maps, ticks that an operator makes by hand, machines that die and that stop. */
  readonly moves: number;
  readonly byHand: number;
  readonly crashes: number;
  readonly shutdowns: number;
  /** How long all of that goes on, in milliseconds. */
  readonly activeMs: number;
  /** The warehouse is down from one time to another, in milliseconds since the beginning; undefined when it never is. */
  readonly outage: { readonly from: number; readonly to: number } | undefined;
  /** The ticks that the warehouse cannot compute: how many from the third on. */
  readonly doomed: number;
  /** The snapshots of the last of the customers can never be written. */
  readonly hasUnserved: boolean;
  /** The scheduler stands still for longer than a tick is owed. */
  readonly standsStill: boolean;
  readonly weather: Weather;
}

/** Draws a schedule: some are small and quiet, some everything at once. */
export function drawPlan(random: Random, seed: number): Plan {
  const activeMs = random.pick([5, 10, 20, 20, 40, 90]) * MINUTE_MS;
  const from = random.whole(0, activeMs);
  const isOut = random.chance(0.25);
  const plan = {
    customers: random.pick([1, 1, 2]),
    maps: random.pick([1, 1, 2, 3]),
    moves: random.pick([0, 2, 5, 12]),
    byHand: random.pick([0, 0, 0, 2]),
    crashes: random.pick([0, 0, 0, 1, 3]),
    shutdowns: random.pick([0, 0, 0, 2]),
    activeMs,
    outage: isOut ? { from, to: from + random.pick([5, 20, 65]) * MINUTE_MS } : undefined,
    doomed: random.chance(0.02) ? random.pick([1, 4]) : 0,
    standsStill: random.chance(0.05),
    weather: {
      rates: drawRates(random, random.pick([1000, 30_000, 4 * MINUTE_MS])),
      warehouse: {
        isDown: false,
        refused: random.pick([0, 0, 0.1]),
        fails: random.pick([0, 0, 0.3, 0.8]),
        durationMs: random.pick([500, 10_000, 10_000, MINUTE_MS, 6 * MINUTE_MS]),
      },
      lost: random.pick([0, 0, 0.2, 0.6]),
      doubled: random.pick([0, 0.3]),
      late: random.pick([0, 0, 0.3]),
      lateMs: random.pick([5000, 8 * MINUTE_MS, 20 * MINUTE_MS]),
      retries: random.pick([0, 0, 2]),
    },
  };
  // Drawn aside, so that all other schedules stay as they were. A tick that is given up says nothing of its customers.
  const hasUnserved = plan.customers > 1 && plan.doomed === 0 && randomOf(seed + UNSERVED_SEED).chance(0.3);
  return { ...plan, hasUnserved };
}

/** The same world once nothing goes wrong any more. */
export function calmed(weather: Weather): Weather {
  const durationMs = Math.min(weather.warehouse.durationMs, MINUTE_MS);
  const warehouse = { isDown: false, refused: 0, fails: 0, durationMs };
  return { ...weather, rates: CALM, warehouse, lost: 0, doubled: 0, late: 0 };
}
