type Position = readonly [lon: number, lat: number];
type Box = readonly [west: number, south: number, east: number, north: number];

/**
 * Returns the part of a closed ring that lies in a box, closed; empty if none does. Where the ring leaves the box, it runs along the border.
 * Source: Sutherland and Hodgman, Reentrant polygon clipping, Communications of the ACM 17 (1974).
 */
export function clipRing(ring: readonly Position[], box: Box): Position[] {
  let open = ring.slice(0, -1);
  for (const side of [0, 1, 2, 3] as const) {
    const axis = side % 2 === 0 ? 0 : 1;
    const limit = box[side];
    const isInside = (position: Position): boolean => (side < 2 ? position[axis] >= limit : position[axis] <= limit);
    const clipped: Position[] = [];
    open.forEach((position, index) => {
      const before = open.at(index - 1) ?? position;
      if (isInside(before) !== isInside(position)) clipped.push(crossing(before, position, axis, limit));
      if (isInside(position)) clipped.push(position);
    });
    open = clipped;
  }
  const [first] = open;
  return first ? [...open, first] : [];
}

function crossing(a: Position, b: Position, axis: 0 | 1, limit: number): Position {
  const share = (limit - a[axis]) / (b[axis] - a[axis]);
  const other = a[(1 - axis) as 0 | 1] + share * (b[(1 - axis) as 0 | 1] - a[(1 - axis) as 0 | 1]);
  return axis === 0 ? [limit, round(other)] : [round(other), limit];
}

function round(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}
