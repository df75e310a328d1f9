import type { Clock } from "../../local/tasks/wire/clock.ts";

/** A clock for tests: time passes only by `advance`. */
export class ManualClock implements Clock {
  #now: number;
  readonly #pending = new Set<{ time: number; run: () => void }>();

  constructor(now = Date.UTC(2026, 0, 5, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  at(time: number, run: () => void): () => void {
    const entry = { time, run };
    this.#pending.add(entry);
    return () => this.#pending.delete(entry);
  }

  stop(): void {
    this.#pending.clear();
  }

  /** The remaining time of each timer, sorted, in milliseconds. */
  waits(): number[] {
    return [...this.#pending].map(({ time }) => time - this.#now).sort((a, b) => a - b);
  }

  /** Advances the time and runs the timers that become due, in order, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#pending].filter(({ time }) => time <= end).sort((a, b) => a.time - b.time)[0];
      if (due === undefined) break;
      this.#pending.delete(due);
      this.#now = Math.max(this.#now, due.time);
      due.run();
    }
    this.#now = end;
  }
}
