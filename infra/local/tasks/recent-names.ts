import type { EndedName } from "./persistence.ts";
import type { Clock } from "./wire/clock.ts";

interface Keeping {
  /** The names before a restart, earliest first. */
  readonly former?: readonly EndedName[] | undefined;
  /** Called for each name that becomes free again. */
  readonly freed?: ((name: string) => void) | undefined;
}

/** Names that stay reserved for some time after their owner is gone. */
export class RecentNames {
  readonly #until = new Map<string, number>();
  readonly #keptMs: number;
  readonly #clock: Clock;
  readonly #freed: ((name: string) => void) | undefined;

  constructor(keptMs: number, clock: Clock, { former = [], freed }: Keeping = {}) {
    this.#keptMs = keptMs;
    this.#clock = clock;
    this.#freed = freed;
    for (const { name, since } of former) this.#until.set(name, since + keptMs);
  }

  add(name: string): void {
    const now = this.#clock.now();
    // All names are kept equally long, so the oldest come first.
    for (const [old, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(old);
      this.#freed?.(old);
    }
    this.#until.delete(name);
    this.#until.set(name, now + this.#keptMs);
  }

  has(name: string): boolean {
    return (this.#until.get(name) ?? 0) > this.#clock.now();
  }
}
