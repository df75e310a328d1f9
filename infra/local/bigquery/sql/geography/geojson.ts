import { offsetFromArc, vectors } from "./distance.ts";
import { grouped, type Shape } from "./wkt.ts";

/** BigQuery adds points to arcs that bend further than 10 m from GeoJSON's straight lines. */
const BEND_METRES_MAX = 9;

const TYPES: Readonly<Record<Shape["kind"], string>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
};

function assertStraight(path: Float64Array): void {
  for (let at = 0; at + 3 < path.length; at += 2) {
    const [lon, lat, toLon, toLat] = [path[at] ?? 0, path[at + 1] ?? 0, path[at + 2] ?? 0, path[at + 3] ?? 0];
    if (lon === toLon && lat === toLat) continue;
    const bend = offsetFromArc(
      vectors(Float64Array.of((lon + toLon) / 2, (lat + toLat) / 2)),
      vectors(Float64Array.of(lon, lat, toLon, toLat)),
    );
    if (!(bend <= BEND_METRES_MAX))
      throw new Error("ST_ASGEOJSON of an arc that bends more than 9 m is not supported by the local BigQuery");
  }
}

/** Returns a shape as GeoJSON. Throws for arcs that bend so far that BigQuery adds points to them. */
export function geoJson({ kind, paths, rings }: Shape, digits: (value: number) => string): string {
  for (const path of paths) assertStraight(path);
  const list = (items: readonly string[]) => `[${items.join(", ")}]`;
  const points = paths.map((path) =>
    Array.from({ length: path.length / 2 }, (_, index) => list([digits(path[2 * index] ?? 0), digits(path[2 * index + 1] ?? 0)])),
  );
  const lines = points.map(list);
  const all = {
    POINT: points[0]?.[0],
    LINESTRING: lines[0],
    POLYGON: list(lines),
    MULTIPOINT: list(points.flat()),
    MULTILINESTRING: list(lines),
  };
  const coordinates = kind === "MULTIPOLYGON" ? list(grouped(lines, rings).map(list)) : all[kind];
  return `{ "type": "${TYPES[kind]}", "coordinates": ${coordinates} } `;
}
