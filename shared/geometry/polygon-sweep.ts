import { orientation } from "./orientation.ts";
import { type Edge, type Point, pointName, samePoint } from "./polygon.ts";
import { RingTree } from "./ring-tree.ts";
import { type Corner, cornersOf, crossing, crossProperly, type Segment, segmentsName, sweepOrder } from "./segment.ts";
import { meetingFault, rightMeeting } from "./segment-intersection.ts";
import { resultOf } from "./slices.ts";

/** How many points of the sweep a slice takes: less than a millisecond, also with thousands of segments above each other. */
const SLICE = 100;

/**
 * Returns the first error in how a polygon's edges meet and how its rings nest, or undefined. Rings are given by their edges, the shell
 * first; they must have an area and no spikes. One sweep from left to right (Shamos and Hoey 1976): O(n log n) decisions, all exact.
 */
export function sweepFault(rings: readonly (readonly Edge[])[]): string | undefined {
  return resultOf(sweepFaultInSlices(rings));
}

/** Does the same in slices: the generator yields between them. */
export function* sweepFaultInSlices(rings: readonly (readonly Edge[])[]): Generator<void, string | undefined> {
  const corners = rings.flatMap(cornersOf).sort((a, b) => sweepOrder(a.point, b.point));
  const tree = new RingTree(rings.length);
  /** The segments that the sweep line crosses, from the lowest to the highest. */
  const status: Segment[] = [];
  let points = 0;
  for (let next = 0; next < corners.length; ) {
    if (++points % SLICE === 0) yield;
    const starting: Segment[] = [];
    const point = corners[next]?.point ?? [0, 0];
    for (let corner = corners[next]; corner && samePoint(corner.point, point); corner = corners[++next]) addStarting(starting, corner);

    const first = firstNotBelow(status, point);
    const ending = meeting(status, first, point);
    const going = leaving(starting, ending, point);
    const fault = overlap(going, point) ?? meetingFault(point, ending, going);
    if (fault !== undefined) return fault;

    replace(status, first, ending.length, going);
    const last = first + going.length;
    const crossed = crossFault(status[first - 1], status[first]) ?? crossFault(status[last - 1], status[last]);
    if (crossed !== undefined) return crossed;
    tree.add(point, status[first - 1], ending, going);
  }
  return tree.fault();
}

function addStarting(starting: Segment[], { point, before, after }: Corner): void {
  if (samePoint(before.left, point)) starting.push(before);
  if (samePoint(after.left, point)) starting.push(after);
}

/** Returns the index of the first segment that the point is not above. */
function firstNotBelow(status: readonly Segment[], point: Point): number {
  let [low, high] = [0, status.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = status[middle];
    if (segment && orientation(segment.left, segment.right, point) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the segments from index `first` on that go through the point or end there. */
function meeting(status: readonly Segment[], first: number, point: Point): Segment[] {
  const found: Segment[] = [];
  for (let segment = status[first]; segment && orientation(segment.left, segment.right, point) === 0; ) {
    found.push(segment);
    segment = status[first + found.length];
  }
  return found;
}

/** Adds the segments that go through a point to those that start there, and returns them all from the lowest to the highest. */
function leaving(starting: Segment[], ending: readonly Segment[], point: Point): Segment[] {
  for (const segment of ending) if (!samePoint(segment.right, point)) starting.push(segment);
  return starting.length > 1 ? starting.sort((s, t) => orientation(point, t.right, s.right)) : starting;
}

/** Returns the error of two segments that leave a point in the same direction, and so lie on each other. */
function overlap(going: readonly Segment[], point: Point): string | undefined {
  for (let index = 1; index < going.length; index++) {
    const [below, above] = [going[index - 1], going[index]];
    if (below && above && orientation(point, below.right, above.right) === 0) {
      return `${segmentsName(below, above)} lie on each other from ${pointName(point)}; two sides may share a point but not a stretch`;
    }
  }
  return undefined;
}

function crossFault(below: Segment | undefined, above: Segment | undefined): string | undefined {
  if (!below || !above || !crossProperly(below, above)) return undefined;
  return `${segmentsName(below, above)} cross near ${pointName(crossing(below, above))}; ${rightMeeting(below, above)}`;
}

/** Most points of a ring replace one segment by one, which moves nothing in the array. */
function replace(status: Segment[], first: number, count: number, segments: readonly Segment[]): void {
  const [only] = segments;
  if (only && count === 1 && segments.length === 1) status[first] = only;
  else status.splice(first, count, ...segments);
}
