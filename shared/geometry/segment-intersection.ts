import { type Point, pointName } from "./polygon.ts";
import { type Segment, segmentsName } from "./segment.ts";

/**
 * Returns the error in how rings meet at a point, or undefined: a ring may pass it once, and two rings may touch there but not cross.
 * `ending` are the segments to its left and `going` those to its right, from the lowest to the highest. One that goes through is in both.
 */
export function meetingFault(point: Point, ending: readonly Segment[], going: readonly Segment[]): string | undefined {
  if (ending.length + going.length <= 2) return undefined;
  const around = [...going, ...ending.toReversed()];
  const ofRing = Map.groupBy(around, ({ ring }) => ring);
  for (const segments of ofRing.values()) {
    if (segments.length <= 2) continue;
    const [first, , third] = [...new Set(segments)].sort((s, t) => s.from - t.from);
    if (first && third) return `${segmentsName(first, third)} touch at ${pointName(point)}; a ring may pass a point only once`;
  }
  const crossed = interleaved(around);
  return crossed && `${segmentsName(...crossed)} cross at ${pointName(point)}; ${rightMeeting(...crossed)}`;
}

/** Returns the rule that two crossing segments violate, for messages. */
export function rightMeeting(s: Segment, t: Segment): string {
  if (s.ring === t.ring) return "the sides of a ring may meet only where one follows the other";
  return s.ring === 0 || t.ring === 0 ? "a hole must lie inside the shell" : "holes must lie next to each other";
}

/**
 * Returns one segment of each of two rings that cross at a point. Each ring enters and leaves the point, so it occurs twice in the circle
 * around it. Rings that do not cross nest like brackets.
 */
function interleaved(around: readonly Segment[]): [Segment, Segment] | undefined {
  const open: Segment[] = [];
  for (const segment of around) {
    if (open.at(-1)?.ring === segment.ring) open.pop();
    else open.push(segment);
  }
  const seen = new Map<number, number>();
  let nearest: { readonly at: number; readonly until: number } | undefined;
  for (const [until, { ring }] of open.entries()) {
    const at = seen.get(ring);
    if (at !== undefined && (!nearest || until - at < nearest.until - nearest.at)) nearest = { at, until };
    seen.set(ring, until);
  }
  const [outer, inner] = nearest ? open.slice(nearest.at, nearest.at + 2) : [];
  return outer && inner && [outer, inner];
}
