import type { Random } from "./random.ts";

/** A pending event. */
export interface Pending<Owner> {
  /** Virtual time in milliseconds since 1970. */
  readonly at: number;
  /** The process that it belongs to. Undefined for events from outside. */
  readonly owner: Owner | undefined;
  /** Whether it is a call that was already sent: it may still arrive after its owner has died. */
  readonly isSent: boolean;
  readonly run: () => void;
}

/** The pending events of a world, and its clock. */
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

  /** Takes a random due event. When none is due, advances the clock to the next one, but not beyond `until`. */
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

  /** Takes the due event at index `passed` among the due events. */
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
