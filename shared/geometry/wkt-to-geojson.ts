import { FaultyWkt, WktScanner } from "./wkt-scanner.ts";

type Position = [lon: number, lat: number];

/** The geometries of GeoJSON that a geography may have. Source: RFC 7946, section 3.1. */
export type GeoJsonGeometry =
  | { readonly type: "LineString"; readonly coordinates: Position[] }
  | { readonly type: "MultiLineString" | "Polygon"; readonly coordinates: Position[][] }
  | { readonly type: "MultiPolygon"; readonly coordinates: Position[][][] };

/**
 * Converts a geography's WKT to GeoJSON (RFC 7946): a line or a polygon, or several. Shells become counter-clockwise and holes clockwise;
 * numbers and first points stay the same. Throws an error for other texts, which the import rejects.
 */
export function geometryOf(wkt: string): GeoJsonGeometry {
  const scanner = new WktScanner(wkt);
  const geometry = readGeometry(scanner);
  if (!scanner.atEnd()) throw new FaultyWkt(`nothing may follow the geometry, but there is ${scanner.seen()}`);
  return geometry;
}

function readGeometry(scanner: WktScanner): GeoJsonGeometry {
  const line = (): Position[] => list(scanner, () => readPosition(scanner));
  const polygon = (): Position[][] => list(scanner, line).map((ring, index) => orientedRing(ring, index === 0));
  const type = scanner.word().toUpperCase();
  if (type === "LINESTRING") return { type: "LineString", coordinates: line() };
  if (type === "MULTILINESTRING") return { type: "MultiLineString", coordinates: list(scanner, line) };
  if (type === "POLYGON") return { type: "Polygon", coordinates: polygon() };
  if (type === "MULTIPOLYGON") return { type: "MultiPolygon", coordinates: list(scanner, polygon) };
  throw new FaultyWkt(`the geometry of a geography is a line or a polygon, not ${JSON.stringify(type)}`);
}

/** Parses comma-separated items in parentheses. */
function list<T>(scanner: WktScanner, read: () => T): T[] {
  const items: T[] = [];
  scanner.expect("(", "the geometry");
  do items.push(read());
  while (scanner.expect(",)", "the geometry") === ",");
  return items;
}

function readPosition(scanner: WktScanner): Position {
  return [scanner.number("the geometry", "longitude").value, scanner.number("the geometry", "latitude").value];
}

/** Returns a ring counter-clockwise if it is a shell, clockwise if it is a hole. */
function orientedRing(ring: Position[], isShell: boolean): Position[] {
  return isShell === twiceArea(ring) >= 0 ? ring : ring.toReversed();
}

/** Returns twice the signed area of a closed ring, positive if counter-clockwise. Relative to its first point for precision. */
function twiceArea(ring: readonly Position[]): number {
  const [[lon0, lat0] = [0, 0]] = ring;
  let sum = 0;
  let [beforeX, beforeY] = [0, 0];
  for (const [lon, lat] of ring) {
    const [x, y] = [lon - lon0, lat - lat0];
    sum += beforeX * y - x * beforeY;
    [beforeX, beforeY] = [x, y];
  }
  return sum;
}
