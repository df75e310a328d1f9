/** The maximum number of cells per polygon. A polygon of 5,000 km² has 80,000 cells; one with many more is mostly border. */
const CELLS_MAX = 200_000;

/** Returns why a polygon with this many cells of 250 m cannot be measured at every tick. Undefined if it can. */
export function tooManyCells(count: number): string | undefined {
  if (count <= CELLS_MAX) return undefined;
  const [touched, most] = [count.toLocaleString("en"), CELLS_MAX.toLocaleString("en")];
  return `touches ${touched} cells of 250 m, at most ${most} can be monitored: simplify its border`;
}
