import { distanceToLine, type Line } from "../geometry/distance-to-line.ts";
import type { Point } from "../geometry/polygon.ts";

/** How far from a coordinate a road link may be to be its nearest, metres. */
export const NEAREST_LINK_METRES = 2000;
/** Distances that differ by less than this (metres) are the same, such as those of two links to the end that they share. */
const SAME = 0.001;

/** A road link that may be the nearest. One of several lines is one candidate for each. */
export interface LinkCandidate {
  readonly link_id: number;
  readonly link_name: string;
  /** The road class, for example `primary`. */
  readonly link_type: string;
  readonly line: Line;
}

/** The nearest road link, with its distance in metres, to a tenth. */
export interface NearestLink extends Omit<LinkCandidate, "line"> {
  readonly distance_m: number;
}

/**
 * The candidate whose line is nearest to a point on WGS 84, `NEAREST_LINK_METRES` at most; undefined when there is none. Of those that are
 * equally near, to a millimetre, the one of the smallest id: the order of the candidates does not count.
 */
export function nearestLink(point: Point, candidates: readonly LinkCandidate[]): NearestLink | undefined {
  const measured = candidates.map(({ line, ...link }) => ({ link, metres: distanceToLine(point, line) }));
  const least = measured.reduce((least, { metres }) => Math.min(least, metres), Number.POSITIVE_INFINITY);
  if (least > NEAREST_LINK_METRES + SAME) return undefined;
  const nearest = measured.filter(({ metres }) => metres < least + SAME).sort((a, b) => a.link.link_id - b.link.link_id);
  return nearest[0] && { ...nearest[0].link, distance_m: Math.round(least * 10) / 10 };
}
