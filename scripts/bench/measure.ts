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

/** Prints one line of a benchmark's output. Numbers are rounded to three decimals. */
export function report(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line, (_name, value: unknown) => (typeof value === "number" ? Math.round(value * 1000) / 1000 : value)));
}
