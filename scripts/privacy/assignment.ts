/** What rows and columns cost so far, and the row of each column. Rows and columns count from 1: 0 stands for none. */
interface Matching {
  readonly rowPrice: Float64Array;
  readonly columnPrice: Float64Array;
  readonly rowOf: Int32Array;
}

/** The search for the shortest path from a row to a column that has none. */
interface Search {
  /** The least reduced cost of a path to each column. */
  readonly least: Float64Array;
  /** The column before each one on that path. */
  readonly before: Int32Array;
  readonly isDone: Uint8Array;
}

type Cost = (row: number, column: number) => number;

/**
 * Returns the column of each row in an assignment of least cost, by shortest augmenting paths (Kuhn, Munkres; Jonker and Volgenant).
 * @param size the number of rows, and of columns
 * @param cost the cost of a row in a column, not below 0
 */
export function leastAssignment(size: number, cost: Cost): number[] {
  // Each cost is asked for once: one may take long to compute.
  const costs = Float64Array.from({ length: size * size }, (_, index) => cost(Math.floor(index / size), index % size));
  const matching = { rowPrice: new Float64Array(size + 1), columnPrice: new Float64Array(size + 1), rowOf: new Int32Array(size + 1) };
  const { rowPrice, columnPrice, rowOf } = matching;
  const reduced: Cost = (row, column) => at(costs, (row - 1) * size + column - 1) - at(rowPrice, row) - at(columnPrice, column);
  for (let row = 1; row <= size; row++) addRow(matching, row, reduced);
  const columns = new Array<number>(size).fill(0);
  for (let column = 1; column <= size; column++) columns[at(rowOf, column) - 1] = column - 1;
  return columns;
}

/** Gives a row a column, and others of the rows another one where that costs less. */
function addRow(matching: Matching, row: number, reduced: Cost): void {
  const { rowOf } = matching;
  const { length } = rowOf;
  const least = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
  const search: Search = { least, before: new Int32Array(length), isDone: new Uint8Array(length) };
  rowOf[0] = row;
  let column = 0;
  do {
    search.isDone[column] = 1;
    const next = nearestColumn(search, column, at(rowOf, column), reduced);
    changePrices(matching, search, at(least, next));
    column = next;
  } while (at(rowOf, column) !== 0);
  while (column !== 0) {
    const previous = at(search.before, column);
    rowOf[column] = at(rowOf, previous);
    column = previous;
  }
}

/** Extends the paths by those through a column and its row. Returns the column that is nearest then. */
function nearestColumn({ least, before, isDone }: Search, column: number, row: number, reduced: Cost): number {
  // No column is farther away than none: the cost of 0 stays infinite.
  let nearest = 0;
  for (let other = 1; other < least.length; other++) {
    if (isDone[other]) continue;
    const own = reduced(row, other);
    if (own < at(least, other)) {
      least[other] = own;
      before[other] = column;
    }
    if (at(least, other) < at(least, nearest)) nearest = other;
  }
  return nearest;
}

/** Changes the prices by a step, so that the nearest column costs nothing more. */
function changePrices({ rowPrice, columnPrice, rowOf }: Matching, { least, isDone }: Search, step: number): void {
  for (let column = 0; column < least.length; column++)
    if (isDone[column]) {
      rowPrice[at(rowOf, column)] = at(rowPrice, at(rowOf, column)) + step;
      columnPrice[column] = at(columnPrice, column) - step;
    } else least[column] = at(least, column) - step;
}

function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0;
}
