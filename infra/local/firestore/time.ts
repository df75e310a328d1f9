import type { WireTimestamp } from "./wire.ts";

const MICROS_PER_SECOND = 1_000_000;

/** Converts the wire format to microseconds since 1970. Exact in a double until the year 2255. */
export function toMicros(time: WireTimestamp): number {
  return Number(time.seconds) * MICROS_PER_SECOND + Math.floor(time.nanos / 1000);
}

export function toWire(micros: number): WireTimestamp {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  return { seconds: String(seconds), nanos: (micros - seconds * MICROS_PER_SECOND) * 1000 };
}

/** Compares times to the microsecond, also those that microseconds in a double cannot tell apart. Negative if `a` is earlier. */
export function compareTimes(a: WireTimestamp, b: WireTimestamp): number {
  return Number(a.seconds) - Number(b.seconds) || Math.floor(a.nanos / 1000) - Math.floor(b.nanos / 1000);
}

/** The server's clock. Every commit gets a later time than all earlier reads, whatever `now` returns, so past reads stay valid. */
export class CommitClock {
  readonly #now: () => number;
  #last: number;

  /** `now` returns milliseconds. `last` is the last issued time, microseconds. */
  constructor(now: () => number, last = 0) {
    this.#now = now;
    this.#last = last;
  }

  /** Returns the time of a new commit, microseconds: after all earlier commits and reads. */
  tick(): number {
    this.#last = Math.max(Math.floor(this.#now() * 1000), this.#last + 1);
    return this.#last;
  }

  /** Returns the time of a read of the current state, microseconds: not before the last commit. */
  readTime(): number {
    this.#last = Math.max(Math.floor(this.#now() * 1000), this.#last);
    return this.#last;
  }
}
