import { signal } from "@preact/signals";

const STEPS_MAX = 100;
const steps = signal<readonly string[]>([]);

/** The earlier shapes of the draft, as WKT. */
export const past = {
  /** How many steps can be taken back. */
  get size(): number {
    return steps.value.length;
  },
  push(wkt: string): void {
    steps.value = [...steps.value, wkt].slice(-STEPS_MAX);
  },
  pop(): string | undefined {
    const last = steps.value.at(-1);
    steps.value = steps.value.slice(0, -1);
    return last;
  },
  clear(): void {
    steps.value = [];
  },
};
