import type { Clock } from "./wire/clock.ts";

/** Names that stay taken for a while after what bore them is gone. */
export class RecentNames {
  readonly #until = new Map<string, number>();
  readonly #keptMs: number;
  readonly #clock: Clock;

  constructor(keptMs: number, clock: Clock) {
    this.#keptMs = keptMs;
    this.#clock = clock;
  }

  add(name: string): void {
    const now = this.#clock.now();
    // All are kept equally long, so the oldest come first.
    for (const [old, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(old);
    }
    this.#until.delete(name);
    this.#until.set(name, now + this.#keptMs);
  }

  has(name: string): boolean {
    return (this.#until.get(name) ?? 0) > this.#clock.now();
  }
}
