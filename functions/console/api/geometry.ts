import * as v from "valibot";

export type Position = [lon: number, lat: number];

/** The geometries of GeoJSON (RFC 7946) that the service answers. */
export type Geometry =
  | { readonly type: "LineString"; readonly coordinates: Position[] }
  | { readonly type: "MultiLineString" | "Polygon"; readonly coordinates: Position[][] }
  | { readonly type: "MultiPolygon"; readonly coordinates: Position[][][] };

export interface PolygonGeometry {
  readonly type: "Polygon";
  readonly coordinates: Position[][];
}

const NESTING: Readonly<Record<string, number>> = { LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

/** Parses a geometry; looks at the first position of each part only, since there are many. */
export const Geometry = v.custom<Geometry>((value) => {
  if (typeof value !== "object" || value === null || !("type" in value) || !("coordinates" in value)) return false;
  let part: unknown = value.coordinates;
  for (let depth = NESTING[String(value.type)] ?? -1; depth > 0; depth--) part = Array.isArray(part) ? part[0] : undefined;
  return String(value.type) in NESTING && Array.isArray(part) && typeof part[0] === "number" && typeof part[1] === "number";
});

/** All positions of a geometry. */
export function positionsOf(geometry: Geometry): Position[] {
  if (geometry.type === "LineString") return geometry.coordinates;
  if (geometry.type === "MultiPolygon") return geometry.coordinates.flat(2);
  return geometry.coordinates.flat();
}

export type Box = [west: number, south: number, east: number, north: number];

/** The box around geometries; undefined if there are none. */
export function boxAround(geometries: readonly Geometry[]): Box | undefined {
  let box: Box | undefined;
  for (const geometry of geometries)
    for (const [lon, lat] of positionsOf(geometry))
      box = box ? [Math.min(box[0], lon), Math.min(box[1], lat), Math.max(box[2], lon), Math.max(box[3], lat)] : [lon, lat, lon, lat];
  return box;
}

/** The point at which a geometry is labelled: the middle of its largest part's box. */
export function labelPoint(geometry: Geometry): Position {
  const parts: Geometry[] =
    geometry.type === "MultiPolygon" ? geometry.coordinates.map((coordinates) => ({ type: "Polygon", coordinates })) : [geometry];
  const boxes = parts.map((part): Box => boxAround([part]) ?? [0, 0, 0, 0]);
  const size = ([west, south, east, north]: Box): number => (east - west) * (north - south);
  const [west, south, east, north] = boxes.reduce((largest, box) => (size(box) > size(largest) ? box : largest));
  return [(west + east) / 2, (south + north) / 2];
}
