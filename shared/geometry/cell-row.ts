import { CELL_METRES } from "./grid.ts";

/**
 * Adding and subtracting this number rounds a number from 0 to 250 to a multiple of 2^-31 (half a nanometre). Sums of such multiples are
 * exact up to 2^22, more than 10,000 edges add up to in one cell.
 */
const LATTICE = 3 * 2 ** 20;

/** Returns the index of the cell at a coordinate (metres from the start of the row or column). A cell includes its lower border. */
export function cellIndex(metres: number): number {
  const cell = Math.floor(metres / CELL_METRES);
  return cell * CELL_METRES > metres ? cell - 1 : cell;
}

/**
 * Accumulates edges in one row of cells, 250 m high. Keeps for each cell the signed height of its edges and their moment (height times
 * distance from the cell's west side), from which the area east of the edges follows, as in font rasterisers.
 */
export class CellRow {
  readonly #height: Float64Array;
  readonly #moment: Float64Array;
  #west: number;
  #east = -1;

  constructor(columns: number) {
    this.#height = new Float64Array(columns);
    this.#moment = new Float64Array(columns);
    this.#west = columns;
  }

  /**
   * Adds the part of an edge that is in this row: x in metres from the first column, y in metres from the row's south side, y0 < y1. The
   * sign is 1 if the polygon is east of the edge, -1 if it is west.
   */
  add(x0: number, y0: number, x1: number, y1: number, sign: number): void {
    const eastward = x0 <= x1;
    const [west, east] = eastward ? [x0, x1] : [x1, x0];
    const start = onLattice(eastward ? y0 : y1);
    const end = onLattice(eastward ? y1 : y0);
    const last = cellIndex(east);
    let [column, x, y] = [cellIndex(west), west, start];
    this.#west = Math.min(this.#west, column);
    this.#east = Math.max(this.#east, last);
    for (; column < last; column++) {
      const border = (column + 1) * CELL_METRES;
      const crossed = onLattice(start + (end - start) * ((border - west) / (east - west)));
      this.#put(column, x, border, sign * Math.abs(crossed - y));
      [x, y] = [border, crossed];
    }
    this.#put(column, x, east, sign * Math.abs(end - y));
  }

  /** Calls `give` with the area (square metres) that the edges enclose in each cell, from west to east, and empties the row. */
  take(give: (column: number, area: number) => void): void {
    let height = 0;
    for (let column = this.#west; column <= this.#east; column++) {
      const [own = 0, moment = 0] = [this.#height[column], this.#moment[column]];
      height += own;
      const area = CELL_METRES * height - moment;
      if (area !== 0) give(column, area);
    }
    this.#clear();
  }

  /** Returns in how many cells the edges enclose a positive area, and empties the row. It allocates nothing: rows have many cells. */
  takeCount(): number {
    let [count, height] = [0, 0];
    for (let column = this.#west; column <= this.#east; column++) {
      height += this.#height[column] ?? 0;
      if (CELL_METRES * height - (this.#moment[column] ?? 0) > 0) count++;
    }
    this.#clear();
    return count;
  }

  #clear(): void {
    if (this.#east >= this.#west) {
      this.#height.fill(0, this.#west, this.#east + 1);
      this.#moment.fill(0, this.#west, this.#east + 1);
    }
    [this.#west, this.#east] = [this.#height.length, -1];
  }

  #put(column: number, west: number, east: number, height: number): void {
    const border = column * CELL_METRES;
    this.#height[column] = (this.#height[column] ?? 0) + height;
    this.#moment[column] = (this.#moment[column] ?? 0) + height * ((west - border + (east - border)) / 2);
  }
}

/** Heights on the lattice add up without rounding: a rise and an equal fall leave exactly 0 for the cells to the east. */
function onLattice(y: number): number {
  return y + LATTICE - LATTICE;
}
