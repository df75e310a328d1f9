import type { Random } from "./random.ts";

/** Something that will happen. */
export interface Pending<Owner> {
  /** Virtual time in milliseconds since 1970. */
  readonly at: number;
  /** Whose it is; undefined for what comes from outside. */
  readonly owner: Owner | undefined;
  /** Whether it is a call that has been sent: it may still arrive when its owner has died. */
  readonly isSent: boolean;
  readonly run: () => void;
}

/** All that is pending in a world, and its clock. */
export class Agenda<Owner> {
  readonly #random: Random;
  #time: number;
  #pending: Pending<Owner>[] = [];

  constructor(random: Random, start: number) {
    this.#random = random;
    this.#time = start;
  }

  /** Milliseconds since 1970. */
  get time(): number {
    return this.#time;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  add(pending: Pending<Owner>): void {
    this.#pending.push(pending);
  }

  keepOnly(isKept: (pending: Pending<Owner>) => boolean): void {
    this.#pending = this.#pending.filter(isKept);
  }

  /** Takes one of those that are due, whichever chance picks. When none is, the clock moves on to the next, but not beyond `until`. */
  take(until: number): Pending<Owner> | undefined {
    let due = 0;
    let earliest = Number.POSITIVE_INFINITY;
    for (const { at } of this.#pending) {
      if (at <= this.#time) due++;
      if (at < earliest) earliest = at;
    }
    if (due === 0) {
      const isBeyond = earliest > until || earliest === Number.POSITIVE_INFINITY;
      const next = isBeyond ? until : earliest;
      if (next !== Number.POSITIVE_INFINITY) this.#time = Math.max(this.#time, next);
      if (isBeyond) return undefined;
      for (const { at } of this.#pending) if (at === earliest) due++;
    }
    return this.#takeDue(due === 1 ? 0 : this.#random.whole(0, due - 1));
  }

  /** Takes one of those that are due; so many of them stand before it. */
  #takeDue(passed: number): Pending<Owner> | undefined {
    let before = passed;
    for (let index = 0; index < this.#pending.length; index++) {
      const one = this.#pending[index];
      if (one === undefined || one.at > this.#time || before-- > 0) continue;
      this.#pending.splice(index, 1);
      return one;
    }
    return undefined;
  }
}
