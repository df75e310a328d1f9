/** A vertex in hundred-thousandths of a degree (about a metre): whole numbers, so that vertices that meet are equal. */
export type Vertex = readonly [x: number, y: number];

/** Returns twice the signed area of a ring whose first vertex is not repeated, positive if it is counter-clockwise. */
export function twiceArea(ring: readonly Vertex[]): number {
  let [beforeX, beforeY] = ring.at(-1) ?? [0, 0];
  let sum = 0;
  for (const [x, y] of ring) {
    sum += beforeX * y - x * beforeY;
    [beforeX, beforeY] = [x, y];
  }
  return sum;
}
