/** Returns how many milliseconds something took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns the quantile of the numbers at a share from 0 to 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs `work` for 0 to count - 1 with limited concurrency. */
export async function concurrently(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** A stretch of steady work: its milliseconds, and what was read at its ends. */
export interface Steady<Reading> {
  readonly ms: number;
  readonly before: Reading;
  readonly after: Reading;
}

/**
 * Measures `count` runs of `work` while `width` of them are in progress all the time: from the end of the first `width` runs to the end of the next
 * `count`. Neither the filling nor the emptying counts, in which processors are idle.
 */
export async function inSteadyState<Reading>(
  { count, width }: { readonly count: number; readonly width: number },
  work: (index: number) => Promise<unknown>,
  read: () => Reading,
): Promise<Steady<Reading>> {
  const mark = () => ({ at: performance.now(), reading: read() });
  let [next, ended, begin, end] = [0, 0, mark(), mark()];
  const worker = async (): Promise<void> => {
    while (ended < width + count) {
      await work(next++);
      ended++;
      if (ended === width) begin = mark();
      if (ended === width + count) end = mark();
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { ms: end.at - begin.at, before: begin.reading, after: end.reading };
}

/** Prints one line of a benchmark's output. Numbers are rounded to three decimals. */
export function report(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line, (_name, value: unknown) => (typeof value === "number" ? Math.round(value * 1000) / 1000 : value)));
}
