import type { Point } from "./polygon.ts";

/** The rounding error of the plain formula: (3 + 16 u) u with u = 2^-53 (Shewchuk 1997, "Adaptive precision floating-point arithmetic"). */
const ERROR_BOUND = 3.3306690738754716e-16;
/** Splits a double into two halves of 26 bits. */
const SPLITTER = 2 ** 27 + 1;

/**
 * Returns the side of the line from `a` to `b` on which `c` lies: positive on the left, negative on the right, 0 exactly on it.
 * The sign is exact for all coordinates whose absolute value is 0 or between 1e-30 and 1e30.
 */
export function orientation(a: Point, b: Point, c: Point): number {
  const left = (a[0] - c[0]) * (b[1] - c[1]);
  const right = (a[1] - c[1]) * (b[0] - c[0]);
  const determinant = left - right;
  const bound = ERROR_BOUND * (Math.abs(left) + Math.abs(right));
  if (determinant > bound || determinant < -bound || bound === 0) return determinant;
  return exactOrientation(a, b, c);
}

/** Computes the orientation from the six products of the expanded determinant, each exact as two doubles, added without rounding. */
function exactOrientation(a: Point, b: Point, c: Point): number {
  const sum: number[] = [];
  addProduct(sum, a[0], b[1]);
  addProduct(sum, -a[0], c[1]);
  addProduct(sum, b[0], c[1]);
  addProduct(sum, -b[0], a[1]);
  addProduct(sum, c[0], a[1]);
  addProduct(sum, -c[0], b[1]);
  return sum.findLast((part) => part !== 0) ?? 0;
}

/** Adds x·y to an expansion: non-overlapping doubles, smallest first, so that the last non-zero one has the sign of the sum. */
function addProduct(sum: number[], x: number, y: number): void {
  const product = x * y;
  const [xHigh, yHigh] = [high(x), high(y)];
  const [xLow, yLow] = [x - xHigh, y - yHigh];
  addPart(sum, xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow));
  addPart(sum, product);
}

function high(x: number): number {
  const scaled = SPLITTER * x;
  return scaled - (scaled - x);
}

function addPart(sum: number[], part: number): void {
  let carried = part;
  for (let index = 0; index < sum.length; index++) {
    const old = sum[index] ?? 0;
    const total = carried + old;
    const oldShare = total - carried;
    sum[index] = carried - (total - oldShare) + (old - oldShare);
    carried = total;
  }
  sum.push(carried);
}
