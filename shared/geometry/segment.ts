import { orientation } from "./orientation.ts";
import { type Edge, type Point, ringName } from "./polygon.ts";

/** An edge of a ring, directed from left to right (upwards if it is vertical). */
export interface Segment {
  /** The ring's index in the polygon, 0 for the shell. */
  readonly ring: number;
  /** The numbers of its points along the ring, from 1. */
  readonly from: number;
  readonly to: number;
  readonly left: Point;
  readonly right: Point;
  /** Whether the ring runs along it from left to right. */
  readonly rightward: boolean;
}

/** Compares points in the order of a sweep from left to right. */
export function sweepOrder(a: Point, b: Point): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** A point of a ring with the segments on both sides of it. */
export interface Corner {
  readonly point: Point;
  readonly before: Segment;
  readonly after: Segment;
}

/** Returns the corners of a ring, given its edges. */
export function cornersOf(edges: readonly Edge[], ring: number): Corner[] {
  const segments = edges.map((edge) => segmentOf(edge, ring));
  let before = segments.at(-1);
  const corners: Corner[] = [];
  for (const after of segments) {
    if (before) corners.push({ point: after.rightward ? after.left : after.right, before, after });
    before = after;
  }
  return corners;
}

function segmentOf({ a, b, from, to }: Edge, ring: number): Segment {
  const rightward = sweepOrder(a, b) < 0;
  return { ring, from, to, left: rightward ? a : b, right: rightward ? b : a, rightward };
}

/** Whether two segments cross at an interior point of both. */
export function crossProperly(s: Segment, t: Segment): boolean {
  const sides = orientation(s.left, s.right, t.left) * orientation(s.left, s.right, t.right);
  return sides < 0 && orientation(t.left, t.right, s.left) * orientation(t.left, t.right, s.right) < 0;
}

/** Returns the approximate point where two crossing segments cross. */
export function crossing(s: Segment, t: Segment): Point {
  const before = Math.abs(orientation(t.left, t.right, s.left));
  const after = Math.abs(orientation(t.left, t.right, s.right));
  const share = before / (before + after);
  return [s.left[0] + (s.right[0] - s.left[0]) * share, s.left[1] + (s.right[1] - s.left[1]) * share];
}

/** Returns the name of two segments in messages: `ring 1: segments 3-4 and 7-8`. */
export function segmentsName(s: Segment, t: Segment): string {
  const [first, second] = s.ring < t.ring || (s.ring === t.ring && s.from < t.from) ? [s, t] : [t, s];
  const numbers = `segments ${first.from}-${first.to} and ${second.from}-${second.to}`;
  return first.ring === second.ring
    ? `${ringName(first.ring)}: ${numbers}`
    : `${ringName(first.ring)} and ${ringName(second.ring)}: ${numbers}`;
}
