import { CALM, drawRates, type FaultRates } from "../faults.ts";
import { type Random, randomOf } from "../random.ts";
import type { WarehouseManner } from "./memory-warehouse-jobs.ts";

const MINUTE_MS = 60_000;
const UNSERVED_SEED = 7_000_000_001;
const LONG_SEED = 7_000_000_002;
const EVERY_SEED = 7_000_000_003;
/** Compactions find something to remove after two hours. */
const LONG_MS = 6 * 60 * MINUTE_MS;

/** The behaviour of everything around the ticks for a while. */
export interface Weather {
  readonly rates: FaultRates;
  readonly warehouse: WarehouseManner;
  /** The shares of firings that are lost, duplicated and late, and the maximum delay. */
  readonly lost: number;
  readonly doubled: number;
  readonly late: number;
  readonly lateMs: number;
  /** How often the scheduler retries a failed firing. */
  readonly retries: number;
}

/** The plan of one schedule, drawn before it begins. */
export interface Plan {
  readonly customers: number;
  readonly maps: number;
  /** The numbers of customers' actions, ticks by hand, crashes and shutdowns of machines. */
  readonly moves: number;
  readonly byHand: number;
  readonly crashes: number;
  readonly shutdowns: number;
  /** How long all of that continues, in milliseconds. */
  readonly activeMs: number;
  /** When the warehouse is down, in milliseconds since the start. Undefined when it never is. */
  readonly outage: { readonly from: number; readonly to: number } | undefined;
  /** How many ticks, from the third on, the warehouse cannot compute. */
  readonly doomed: number;
  /** Whether the last customer's snapshots can never be written. */
  readonly hasUnserved: boolean;
  /** Whether the scheduler stops for longer than a tick stays pending. */
  readonly standsStill: boolean;
  /** Every how many ticks a customer's table is loaded. */
  readonly loadedEvery: number;
  readonly weather: Weather;
}

/** Draws a schedule: some are small and quiet, some have every fault at once. */
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
  // Drawn separately, so that all other schedules stay the same. A tick that is given up shows nothing about its customers.
  const hasUnserved = plan.customers > 1 && plan.doomed === 0 && randomOf(seed + UNSERVED_SEED).chance(0.3);
  const isLong = randomOf(seed + LONG_SEED).chance(0.05);
  const loadedEvery = randomOf(seed + EVERY_SEED).pick([1, 1, 2, 3, 12]);
  return { ...plan, hasUnserved, loadedEvery, ...(isLong ? { activeMs: LONG_MS, moves: 40 } : {}) };
}

/** Returns the same behaviour without faults. */
export function calmed(weather: Weather): Weather {
  const durationMs = Math.min(weather.warehouse.durationMs, MINUTE_MS);
  const warehouse = { isDown: false, refused: 0, fails: 0, durationMs };
  return { ...weather, rates: CALM, warehouse, lost: 0, doubled: 0, late: 0 };
}
