import { distanceToLine, type Line } from "../geometry/distance-to-line.ts";
import type { Point } from "../geometry/polygon.ts";

/** The maximum distance of a coordinate from its nearest road link, metres. */
export const NEAREST_LINK_METRES = 2000;
/** Distances that differ by less than this (metres) count as equal, for example those to an end that two links share. */
const SAME = 0.001;

/** A road link that may be the nearest. A link with several lines has one candidate per line. */
export interface LinkCandidate {
  readonly link_id: number;
  readonly link_name: string;
  /** The road class, for example `primary`. */
  readonly link_type: string;
  readonly line: Line;
}

/** The nearest road link, with its distance in metres, rounded to a tenth. */
export interface NearestLink extends Omit<LinkCandidate, "line"> {
  readonly distance_m: number;
}

/**
 * Returns the candidate whose line is nearest to a point on WGS 84, or undefined if none lies within `NEAREST_LINK_METRES`. Of candidates
 * that are equally near, to a millimetre, it returns the one with the smallest id. The order of the candidates does not matter.
 */
export function nearestLink(point: Point, candidates: readonly LinkCandidate[]): NearestLink | undefined {
  const measured = candidates.map(({ line, ...link }) => ({ link, metres: distanceToLine(point, line) }));
  const least = measured.reduce((least, { metres }) => Math.min(least, metres), Number.POSITIVE_INFINITY);
  if (least > NEAREST_LINK_METRES + SAME) return undefined;
  const nearest = measured.filter(({ metres }) => metres < least + SAME).sort((a, b) => a.link.link_id - b.link.link_id);
  return nearest[0] && { ...nearest[0].link, distance_m: Math.round(least * 10) / 10 };
}
