import type { Position } from "../../../../shared/geometry/crs.ts";

/** Cells of a row that lie side by side: their south-west corners, metres, from the first to the last. */
export interface Run {
  readonly northing: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the cells of a grid whose middle is inside closed rings, row by row from the south, as runs. Inside is what an odd number of
 * borders separates from the outside.
 * @param side of a cell, metres
 */
export function runsInside(rings: readonly (readonly Position[])[], side: number): Run[] {
  const crossings = new Map<number, number[]>();
  for (const ring of rings)
    for (let index = 1; index < ring.length; index++) {
      const [a, b] = [ring[index - 1], ring[index]];
      if (!a || !b || a.northing === b.northing) continue;
      const [low, high] = a.northing < b.northing ? [a, b] : [b, a];
      const slope = (high.easting - low.easting) / (high.northing - low.northing);
      // A row is crossed at its middle. An edge has its lower end and not its upper one.
      for (let row = Math.ceil(low.northing / side - 0.5); (row + 0.5) * side < high.northing; row++) {
        const easting = low.easting + slope * ((row + 0.5) * side - low.northing);
        const known = crossings.get(row);
        if (known) known.push(easting);
        else crossings.set(row, [easting]);
      }
    }
  return [...crossings]
    .sort(([a], [b]) => a - b)
    .flatMap(([row, eastings]) => {
      const sorted = eastings.sort((a, b) => a - b);
      const runs: Run[] = [];
      for (let index = 1; index < sorted.length; index += 2) {
        const first = Math.ceil((sorted[index - 1] ?? 0) / side - 0.5) * side;
        const last = Math.ceil((sorted[index] ?? 0) / side - 1.5) * side;
        const before = runs.at(-1);
        if (before && before.last + side >= first) runs[runs.length - 1] = { ...before, last: Math.max(before.last, last) };
        else if (first <= last) runs.push({ northing: row * side, first, last });
      }
      return runs;
    });
}
