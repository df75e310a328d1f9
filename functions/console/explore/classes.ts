/** How values are put in classes: as many areas in each, or steps of equal size. */
export type Classing = "quantile" | "equal";

/**
 * Returns the lower bounds of at most `count` classes of values, ascending and distinct; the first one is the smallest value. Empty without
 * values.
 */
export function classBounds(values: readonly number[], count: number, classing: Classing): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bounds = Array.from({ length: count }, (_, index) =>
    classing === "equal" ? first + ((last - first) * index) / count : (sorted[Math.floor((sorted.length * index) / count)] ?? first),
  );
  return [...new Set(bounds)];
}

/** Returns the class of a value: the index of the last bound that is not above it, at least 0. */
export function classOf(value: number, bounds: readonly number[]): number {
  let index = 0;
  while (index + 1 < bounds.length && value >= (bounds[index + 1] ?? Infinity)) index++;
  return index;
}
