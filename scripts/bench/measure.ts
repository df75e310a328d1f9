/** Milliseconds that something took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The value below which a share (0 to 1) of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs `work` for 0 to count - 1, so many at a time. */
export async function concurrently(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** One line of a benchmark's output; numbers are rounded to three digits behind the point. */
export function report(line: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(line, (_name, value: unknown) => (typeof value === "number" ? Math.round(value * 1000) / 1000 : value)));
}
