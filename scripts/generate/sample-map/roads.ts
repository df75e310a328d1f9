import type { Run } from "../../../infra/local/sample/map/land-runs.ts";
import type { SamplePlace } from "../../../infra/local/sample/map/sample-places.ts";
import type { Position } from "../../../shared/geometry/crs.ts";
import { shortestPath } from "./shortest-path.ts";

/** A road between two places, by their position in the list, along positions in metres. */
export interface Road {
  readonly from: number;
  readonly to: number;
  readonly path: readonly Position[];
}

/** Side of the squares over which roads are laid, metres. */
export const ROAD_SQUARE = 2000;
/** A kilometre of water costs as much as this many of flat land. */
const WATER = 14;
/** Roads with a longer bridge or ferry are left out, squares. */
const WIDEST_WATER = 4;

/**
 * Returns roads between the places that are neighbours: no third place is nearer to both than they are to each other. They go over land
 * where they can.
 * @param land squares of `ROAD_SQUARE` with land
 */
export function roadsBetween(places: readonly SamplePlace[], at: readonly Position[], land: readonly Run[]): Road[] {
  const dry = new Set(
    land.flatMap(({ northing, first, last }) =>
      Array.from({ length: (last - first) / ROAD_SQUARE + 1 }, (_, index) => squareOf(first / ROAD_SQUARE + index, northing / ROAD_SQUARE)),
    ),
  );
  const cost = (square: number): number => (dry.has(square) ? 1 + roughness(square) : WATER);
  return places.flatMap((_, from) =>
    places.flatMap((__, to) => {
      if (to <= from || !areNeighbours(at, from, to)) return [];
      const [start, end] = [at[from], at[to]];
      if (!start || !end) return [];
      const squares = shortestPath(squareAt(start), squareAt(end), cost);
      if (squares.filter((square) => !dry.has(square)).length > WIDEST_WATER) return [];
      const middles = squares.slice(1, -1).map((square) => ({
        easting: ((square % 4096) - 1024 + 0.5) * ROAD_SQUARE,
        northing: (Math.floor(square / 4096) + 0.5) * ROAD_SQUARE,
      }));
      return [{ from, to, path: [start, ...smoothed(middles), end] }];
    }),
  );
}

function areNeighbours(at: readonly Position[], a: number, b: number): boolean {
  const length = distance(at[a], at[b]);
  return at.every((third, index) => index === a || index === b || Math.max(distance(at[a], third), distance(at[b], third)) > 0.93 * length);
}

function distance(a: Position | undefined, b: Position | undefined): number {
  return a && b ? Math.hypot(a.easting - b.easting, a.northing - b.northing) : Number.POSITIVE_INFINITY;
}

/** Returns the mean of each position and its neighbours, so that a path over squares has no corners. */
function smoothed(path: readonly Position[]): Position[] {
  return path.map((position, index) => {
    const [before, after] = [path[index - 1] ?? position, path[index + 1] ?? position];
    return {
      easting: (before.easting + 2 * position.easting + after.easting) / 4,
      northing: (before.northing + 2 * position.northing + after.northing) / 4,
    };
  });
}

/** Squares are numbered by row and column. Column 1,024 is the one east of easting 0. */
function squareOf(column: number, row: number): number {
  return row * 4096 + column + 1024;
}

function squareAt({ easting, northing }: Position): number {
  return squareOf(Math.floor(easting / ROAD_SQUARE), Math.floor(northing / ROAD_SQUARE));
}

/** Hills of the land, so that roads bend: 0 to 1.2, the same in each block of 3 by 3 squares. */
function roughness(square: number): number {
  const block = Math.floor(Math.floor(square / 4096) / 3) * 1409 + Math.floor((square % 4096) / 3) * 2203;
  return ((Math.imul(block ^ (block >>> 7), 2_654_435_761) >>> 8) % 1000) / 833;
}
