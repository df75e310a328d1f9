import { CellRow, cellIndex } from "./cell-row.ts";
import { clipToExtent } from "./clip-to-extent.ts";
import type { Position } from "./crs.ts";
import { projectRingInSlices } from "./densify.ts";
import { CELL_METRES, cellId, type Grid } from "./grid.ts";
import type { Polygon } from "./polygon.ts";
import { resultOf } from "./slices.ts";

const CELL_AREA = CELL_METRES * CELL_METRES;

/** A 250 m cell that a polygon covers. `weight` is the share of the cell inside the polygon, (0, 1]. */
interface CoveredCell {
  readonly cellId: number;
  readonly weight: number;
}

/** The cells of a grid that a polygon covers. The weights times 62,500 m² add up to the area. */
export interface Coverage {
  readonly cells: CoveredCell[];
  readonly areaSquareMetres: number;
}

/** A coverage that identifies each cell by its south-west corner, metres. */
interface ProjectedCoverage {
  readonly cells: { readonly corner: Position; readonly weight: number }[];
  readonly areaSquareMetres: number;
}

/** How many cells and crossings of cell borders a slice of a coverage takes: about 0.2 ms. */
const SLICE = 1000;
/** A point that is only looked at, against a crossing. */
const POINT_WORK = 0.1;

/**
 * Returns the cells of a country's grid that a valid polygon covers, row by row from south-west to north-east. Parts outside the grid's
 * extent do not count. Takes time linear in the covered cells, the crossed cell borders and the vertices.
 */
export function coverPolygon(polygon: Polygon, grid: Grid): Coverage {
  return resultOf(coverPolygonInSlices(polygon, grid));
}

/** The work since the last pause, of several coverages together. */
export interface WorkMeter {
  work: number;
}

/** Does the same in slices: the generator yields between them, so that a server can do something else meanwhile. */
export function* coverPolygonInSlices(polygon: Polygon, grid: Grid, meter: WorkMeter = { work: 0 }): Generator<void, Coverage> {
  const cells: CoveredCell[] = [];
  const put: PutCell = (corner, weight) => cells.push({ cellId: cellId(grid, corner), weight });
  const areaSquareMetres = yield* coverRings(yield* projectInSlices(polygon, grid), meter, put);
  return { cells, areaSquareMetres };
}

/**
 * Returns how many cells a valid polygon covers, in slices. It keeps none of them: ten thousands of objects that live for many turns of the
 * event loop cost the garbage collector more time than the coverage takes.
 */
export function* countCellsInSlices(polygon: Polygon, grid: Grid, meter: WorkMeter = { work: 0 }): Generator<void, number> {
  let count = 0;
  yield* gatherRows(yield* projectInSlices(polygon, grid), meter, (gathered) => {
    const cells = gathered.takeCount();
    count += cells;
    return cells;
  });
  return count;
}

function* projectInSlices(polygon: Polygon, grid: Grid): Generator<void, Position[][]> {
  const rings: Position[][] = [];
  for (const ring of polygon.rings) rings.push(yield* projectRingInSlices(clipToExtent(ring, grid.extent), grid.crs));
  return rings;
}

/**
 * Returns the cells that projected rings cover. Rings are closed, in any direction, the shell first. A cell entirely inside has a weight of
 * exactly 1. Areas are exact up to double rounding, which moves the crossings of edges and borders by less than 1e-9 m; clamping weights to
 * (0, 1] removes no more than that.
 */
export function coverProjected(rings: readonly (readonly Position[])[]): ProjectedCoverage {
  const cells: ProjectedCoverage["cells"] = [];
  const areaSquareMetres = resultOf(coverRings(rings, { work: 0 }, (corner, weight) => cells.push({ corner, weight })));
  return { cells, areaSquareMetres };
}

/** Takes a covered cell. */
type PutCell = (corner: Position, weight: number) => void;

/** Gives each covered cell to `put`, and returns the area in square metres. */
function* coverRings(rings: readonly (readonly Position[])[], meter: WorkMeter, put: PutCell): Generator<void, number> {
  let areaSquareMetres = 0;
  yield* gatherRows(rings, meter, (gathered, { easting, northing }) => {
    let cells = 0;
    gathered.take((column, area) => {
      areaSquareMetres += area;
      if (area <= 0) return;
      put({ easting: easting + column * CELL_METRES, northing }, Math.min(1, area / CELL_AREA));
      cells++;
    });
    return cells;
  });
  return areaSquareMetres;
}

/**
 * Takes the cells that the gathered edges of a row enclose, and returns how many there are.
 * @param corner the south-west corner of the row's first cell
 */
type TakeRow = (gathered: CellRow, corner: Position) => number;

/** Gathers the edges of rings in each row of cells from south to north, and gives the row to `take`. */
function* gatherRows(rings: readonly (readonly Position[])[], meter: WorkMeter, take: TakeRow): Generator<void, void> {
  const frame = yield* frameOf(rings, meter);
  const starting = Array.from({ length: frame.rows }, (): Edge[] => []);
  for (const [index, ring] of rings.entries()) {
    const isOnLeft = (yield* isCounterclockwise(ring, frame, meter)) === (index === 0);
    for (const edge of edgesOf(ring, frame, isOnLeft ? 1 : -1)) {
      starting[cellIndex(edge.y0)]?.push(edge);
      if (++meter.work >= SLICE) yield* pause(meter);
    }
  }
  let active: Edge[] = [];
  const gathered = new CellRow(frame.columns);
  for (const [row, edges] of starting.entries()) {
    active = [...active, ...edges];
    for (const edge of active) {
      meter.work += addToRow(gathered, edge, row * CELL_METRES);
      if (meter.work >= SLICE) yield* pause(meter);
    }
    meter.work += take(gathered, { easting: frame.easting, northing: frame.northing + row * CELL_METRES });
    active = active.filter(({ y1 }) => y1 > (row + 1) * CELL_METRES);
  }
}

function* pause(meter: WorkMeter): Generator<void, void> {
  meter.work = 0;
  yield;
}

/** The rectangle of cells around all rings. */
interface Frame extends Position {
  readonly columns: number;
  readonly rows: number;
}

function* frameOf(rings: readonly (readonly Position[])[], meter: WorkMeter): Generator<void, Frame> {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const { easting, northing } of ring) {
      west = Math.min(west, easting);
      east = Math.max(east, easting);
      south = Math.min(south, northing);
      north = Math.max(north, northing);
      meter.work += POINT_WORK;
      if (meter.work >= SLICE) yield* pause(meter);
    }
  }
  if (west > east) return { easting: 0, northing: 0, columns: 0, rows: 0 };
  const [column, row] = [cellIndex(west), cellIndex(south)];
  return {
    easting: column * CELL_METRES,
    northing: row * CELL_METRES,
    columns: cellIndex(east) - column + 1,
    rows: cellIndex(north) - row + 1,
  };
}

/** An edge from its lower to its upper end, metres from the frame's corner. The sign is 1 if the polygon is to its east, else -1. */
interface Edge {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly sign: number;
}

/** Yields the edges of a ring except horizontal ones, which have no area to their east. `downward` is the sign of those that go down. */
function* edgesOf(ring: readonly Position[], frame: Frame, downward: 1 | -1): Generator<Edge> {
  let before: Position | undefined;
  for (const point of ring) {
    const [from, to] = [before ?? point, point];
    before = point;
    const [a, b] = [
      { x: from.easting - frame.easting, y: from.northing - frame.northing },
      { x: to.easting - frame.easting, y: to.northing - frame.northing },
    ];
    if (a.y === b.y) continue;
    yield a.y > b.y ? { x0: b.x, y0: b.y, x1: a.x, y1: a.y, sign: downward } : { x0: a.x, y0: a.y, x1: b.x, y1: b.y, sign: -downward };
  }
}

/** Whether a ring turns left, by the sign of its area around its first point. */
function* isCounterclockwise(ring: readonly Position[], frame: Frame, meter: WorkMeter): Generator<void, boolean> {
  const [start = frame] = ring;
  const [x0, y0] = [start.easting - frame.easting, start.northing - frame.northing];
  let [area, x, y] = [0, 0, 0];
  for (const { easting, northing } of ring) {
    const [toX, toY] = [easting - frame.easting - x0, northing - frame.northing - y0];
    area += x * toY - toX * y;
    [x, y] = [toX, toY];
    meter.work += POINT_WORK;
    if (meter.work >= SLICE) yield* pause(meter);
  }
  return area > 0;
}

/** Adds an edge to a row and returns how many cells it touches there. Its end in one row is exactly the same number as its start in the next. */
function addToRow(row: CellRow, edge: Edge, south: number): number {
  const bottom = Math.max(edge.y0, south);
  const top = Math.min(edge.y1, south + CELL_METRES);
  const from = bottom === edge.y0 ? edge.x0 : xAt(edge, bottom);
  const to = top === edge.y1 ? edge.x1 : xAt(edge, top);
  if (bottom < top) row.add(from, bottom - south, to, top - south, edge.sign);
  return 1 + Math.abs(to - from) / CELL_METRES;
}

function xAt({ x0, y0, x1, y1 }: Edge, y: number): number {
  const x = x0 + (x1 - x0) * ((y - y0) / (y1 - y0));
  return Math.min(Math.max(x, Math.min(x0, x1)), Math.max(x0, x1));
}
