/** Where a fault of a polygon is. Numbers count from 1, as in its detail; ring 1 is the shell. */
export interface FaultLocation {
  readonly ring?: number;
  readonly point?: number;
}

/** Returns the first ring and the first point that the detail of a faulty polygon names (see `ringName`). A fault of the text has neither. */
export function faultLocation(detail: string): FaultLocation {
  const ring = /\bring (\d+)/.exec(detail)?.[1];
  const point = /\b(?:points?|segments?) (\d+)/.exec(detail)?.[1];
  return {
    ...(ring === undefined ? {} : { ring: Number(ring) }),
    ...(ring === undefined || point === undefined ? {} : { point: Number(point) }),
  };
}
