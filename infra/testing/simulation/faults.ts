import type { Random } from "./random.ts";

/** The fate of one call. `repeated`: the client retried by itself after a lost response. */
export type Fate = "done" | "fails before" | "fails after" | "repeated" | "dies before" | "dies after";

/** The probability of each fault of a call, and how long calls take. */
export interface FaultRates {
  readonly failsBefore: number;
  readonly failsAfter: number;
  readonly repeated: number;
  readonly diesBefore: number;
  readonly diesAfter: number;
  /** The share of slow calls. These take up to `slowMs` milliseconds, the others up to `usualMs`. */
  readonly slow: number;
  readonly slowMs: number;
  readonly usualMs: number;
}

/** No faults, and fast calls. */
export const CALM: FaultRates = {
  failsBefore: 0,
  failsAfter: 0,
  repeated: 0,
  diesBefore: 0,
  diesAfter: 0,
  slow: 0,
  slowMs: 0,
  usualMs: 20,
};

/**
 * Draws the fault rates of one schedule, each independently: some schedules have no fault of a kind, some have many. This reaches states
 * that are rare when everything can fail at once ("swarm testing": Groce et al., ISSTA 2012, https://doi.org/10.1145/2338965.2336763).
 */
export function drawRates(random: Random, slowMs: number): FaultRates {
  const rate = (): number => random.pick([0, 0, 0, 0.005, 0.02, 0.08]);
  return {
    failsBefore: rate(),
    failsAfter: rate(),
    repeated: rate(),
    diesBefore: rate(),
    diesAfter: rate(),
    slow: random.pick([0, 0.02, 0.2]),
    slowMs,
    usualMs: random.pick([0, 20, 200]),
  };
}

/** Draws the fate of one call. */
export function drawFate(random: Random, rates: FaultRates, mayRepeat: boolean): Fate {
  let drawn = random.next();
  for (const [fate, rate] of [
    ["fails before", rates.failsBefore],
    ["fails after", rates.failsAfter],
    ["repeated", mayRepeat ? rates.repeated : 0],
    ["dies before", rates.diesBefore],
    ["dies after", rates.diesAfter],
  ] as const) {
    if (drawn < rate) return fate;
    drawn -= rate;
  }
  return "done";
}

/** Draws the latency of one call in milliseconds. */
export function drawLatency(random: Random, { slow, slowMs, usualMs }: FaultRates): number {
  return random.whole(0, random.chance(slow) ? slowMs : usualMs);
}
