import type { WireTimestamp } from "./wire.ts";

const MICROS_PER_SECOND = 1_000_000;

/** Microseconds since 1970, as the engine keeps times (exact in a double until the year 2255), from the wire's form. */
export function toMicros(time: WireTimestamp): number {
  return Number(time.seconds) * MICROS_PER_SECOND + Math.floor(time.nanos / 1000);
}

export function toWire(micros: number): WireTimestamp {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  return { seconds: String(seconds), nanos: (micros - seconds * MICROS_PER_SECOND) * 1000 };
}

/** The server's clock: what was read at a time stays so, since every later commit gets a later time, whatever `now` does. */
export class CommitClock {
  readonly #now: () => number;
  #last: number;

  /** `now` is in milliseconds; `last` is the last time that was given before, microseconds. */
  constructor(now: () => number, last = 0) {
    this.#now = now;
    this.#last = last;
  }

  /** The time of a new commit, microseconds: after all commits and reads before it. */
  tick(): number {
    this.#last = Math.max(Math.floor(this.#now() * 1000), this.#last + 1);
    return this.#last;
  }

  /** The time of a read of the present state, microseconds: not before the last commit. */
  readTime(): number {
    this.#last = Math.max(Math.floor(this.#now() * 1000), this.#last);
    return this.#last;
  }
}
