import { CALM, drawRates, type FaultRates } from "../faults.ts";
import type { Random } from "../random.ts";
import type { CustomerLimits } from "./memory-jobs.ts";
import type { MessagesManner } from "./memory-messages.ts";
import type { WarehouseManner } from "./memory-warehouse.ts";

const MINUTE_MS = 60_000;

/** The behaviour of everything around the job path for a while. */
export interface Weather {
  readonly rates: FaultRates;
  readonly warehouse: WarehouseManner;
  readonly messages: MessagesManner;
  /** The share of sweeps that the scheduler skips, and the share that it fires twice. */
  readonly sweepsMissed: number;
  readonly sweepsDoubled: number;
}

/** The plan of one schedule, drawn before it begins. */
export interface Plan {
  readonly limits: Readonly<Record<string, CustomerLimits>>;
  /** How many jobs of a kind a sweep processes. */
  readonly batch: number;
  readonly submissions: number;
  readonly exports: number;
  readonly cancels: number;
  readonly loads: number;
  /** How often all processes die at once, and how often they get a stop signal first. */
  readonly crashes: number;
  readonly shutdowns: number;
  /** Whether dead letters have a subscription. */
  readonly hasDeadLetterOffice: boolean;
  /** How long customers act and faults happen, in milliseconds. */
  readonly activeMs: number;
  /** Whether the schedule continues until all results have expired. */
  readonly outlivesResults: boolean;
  /** Whether no call fails, no message is lost and no process dies. Then the sweeper must find nothing to send. */
  readonly isFaultless: boolean;
  readonly weather: Weather;
}

/** Draws a schedule: some are small and quiet, some have every fault at once. */
export function drawPlan(random: Random): Plan {
  const isFaultless = random.chance(0.1);
  const share = (...shares: number[]): number => random.pick(shares);
  const uids = ["alpha", "beta", "gamma"].slice(0, random.pick([1, 1, 2, 3]));
  const limits = { runningJobs: random.whole(1, 3), unfinishedJobs: random.pick([2, 200]), bytesPerDay: random.pick([650, 1e12, 1e12]) };
  const warehouse: WarehouseManner = {
    refusedForNow: isFaultless ? 0 : share(0, 0, 0.1),
    refusedForGood: share(0, 0, 0, 0.1),
    failsForNow: share(0, 0, 0.2, 0.6),
    failsForGood: share(0, 0, 0, 0.1),
    neverEnds: isFaultless ? 0 : share(...Array.from({ length: 29 }, () => 0), 0.2),
    durationMs: share(500, 10_000, 10_000, MINUTE_MS, 5 * MINUTE_MS),
    stopMs: share(0, 1000, 30_000),
  };
  const messages: MessagesManner = {
    lost: isFaultless ? 0 : share(0, 0, 0.05, 0.3),
    doubled: isFaultless ? 0 : share(0, 0.2, 0.7),
    lateMs: isFaultless ? 100 : share(0, 1000, 30_000, 5 * MINUTE_MS),
    ackMs: share(10_000, MINUTE_MS, 10 * MINUTE_MS, 10 * MINUTE_MS),
    deliveriesMax: share(5, 5, 40),
    backoffMs: random.pick([
      { minimum: 1000, maximum: 30_000 },
      { minimum: 10_000, maximum: 180_000 },
    ]),
  };
  const rates = isFaultless ? CALM : drawRates(random, random.pick([1000, 10_000, 30_000]));
  return {
    limits: Object.fromEntries(uids.map((uid) => [uid, limits])),
    batch: random.pick([500, 500, 500, 2, 1]),
    submissions: random.pick([1, 2, 3, 5, 8]),
    exports: share(0, 0.5, 1, 1),
    cancels: random.pick([0, 0, 1, 3]),
    loads: random.pick([0, 0, 2, 6]),
    crashes: isFaultless ? 0 : random.pick([0, 0, 0, 1, 3]),
    shutdowns: random.pick([0, 0, 0, 1, 3]),
    hasDeadLetterOffice: random.chance(0.8),
    activeMs: random.pick([1, 3, 10, 20]) * MINUTE_MS,
    outlivesResults: random.chance(0.4),
    isFaultless,
    weather: { rates, warehouse, messages, sweepsMissed: isFaultless ? 0 : share(0, 0, 0.5), sweepsDoubled: share(0, 0, 0.5) },
  };
}

/** Returns the same behaviour without faults. */
export function calmed({ warehouse, messages }: Weather): Weather {
  return {
    rates: CALM,
    warehouse: { ...warehouse, refusedForNow: 0, refusedForGood: 0, failsForNow: 0, failsForGood: 0, neverEnds: 0 },
    messages: { ...messages, lost: 0, doubled: 0, lateMs: 100 },
    sweepsMissed: 0,
    sweepsDoubled: 0,
  };
}
