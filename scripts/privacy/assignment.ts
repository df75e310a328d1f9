/**
 * Returns the column of each row in an assignment of least cost, by shortest augmenting paths (Kuhn, Munkres; Jonker and Volgenant).
 * @param size the number of rows, and of columns
 * @param cost the cost of a row in a column, not below 0
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a known algorithm, whose papers are easier to follow in one piece
export function leastAssignment(size: number, cost: (row: number, column: number) => number): number[] {
  // Each cost is asked for once: one may take long to compute.
  const costs = Float64Array.from({ length: size * size }, (_, index) => cost(Math.floor(index / size), index % size));
  const rowPrice = new Float64Array(size + 1);
  const columnPrice = new Float64Array(size + 1);
  // Rows and columns count from 1: 0 stands for none.
  const rowOf = new Int32Array(size + 1);
  const before = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    const least = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const isDone = new Uint8Array(size + 1);
    let column = 0;
    do {
      isDone[column] = 1;
      const current = at(rowOf, column);
      let [step, next] = [Number.POSITIVE_INFINITY, 0];
      for (let other = 1; other <= size; other++) {
        if (isDone[other]) continue;
        const reduced = at(costs, (current - 1) * size + other - 1) - at(rowPrice, current) - at(columnPrice, other);
        if (reduced < at(least, other)) {
          least[other] = reduced;
          before[other] = column;
        }
        if (at(least, other) < step) [step, next] = [at(least, other), other];
      }
      for (let other = 0; other <= size; other++)
        if (isDone[other]) {
          rowPrice[at(rowOf, other)] = at(rowPrice, at(rowOf, other)) + step;
          columnPrice[other] = at(columnPrice, other) - step;
        } else least[other] = at(least, other) - step;
      column = next;
    } while (at(rowOf, column) !== 0);
    while (column !== 0) {
      const previous = at(before, column);
      rowOf[column] = at(rowOf, previous);
      column = previous;
    }
  }
  const columns = new Array<number>(size).fill(0);
  for (let column = 1; column <= size; column++) columns[at(rowOf, column) - 1] = column - 1;
  return columns;
}

function at(values: Float64Array | Int32Array, index: number): number {
  return values[index] ?? 0;
}
