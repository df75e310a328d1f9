import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, VARCHAR } from "@duckdb/node-api";
import { vectors } from "./geography/distance.ts";
import { area, centroid, contains, type Figure, figureDistance, figureOf, intersects, length } from "./geography/figure.ts";
import { geoJson } from "./geography/geojson.ts";
import { readWkt, type Shape, wrapped, writeWkt } from "./geography/wkt.ts";
import type { Cell, NativeFunction } from "./native/register.ts";

/** Cache size of parsed shapes, by text: a condition on a table of lines parses the same texts repeatedly. */
const KEPT_MAX = 50_000;

const TYPE_NAMES: Readonly<Record<Shape["kind"], string>> = {
  POINT: "ST_Point",
  LINESTRING: "ST_LineString",
  POLYGON: "ST_Polygon",
  MULTIPOINT: "ST_MultiPoint",
  MULTILINESTRING: "ST_MultiLineString",
  MULTIPOLYGON: "ST_MultiPolygon",
};

/** Formats a coordinate as BigQuery does, with at most 15 significant digits. */
function digits(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Parses the texts of geographies and caches the results. */
class Shapes {
  readonly #figures = new Map<string, Figure>();

  shape(text: string): Shape {
    const shape = readWkt(text);
    if (!shape)
      throw new Error(
        `Invalid GEOGRAPHY, or one that the local BigQuery does not support (points, lines and polygons only, none empty): ${text.slice(0, 80)}`,
      );
    return shape;
  }

  figure(text: string): Figure {
    const known = this.#figures.get(text);
    if (known) return known;
    const figure = figureOf(this.shape(text));
    if (this.#figures.size >= KEPT_MAX) this.#figures.clear();
    this.#figures.set(text, figure);
    return figure;
  }
}

function coordinate(shapes: Shapes, wkt: string, index: 0 | 1): number {
  const { kind, paths } = shapes.shape(wkt);
  if (kind !== "POINT") throw new Error(`${index === 0 ? "ST_X" : "ST_Y"} is defined for single points only`);
  return paths[0]?.[index] ?? Number.NaN;
}

function point(longitude: number, latitude: number): string {
  if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90)) throw new Error("Latitude must be between -90 and 90 degrees");
  return writeWkt({ kind: "POINT", paths: [Float64Array.of(wrapped(longitude), latitude)], rings: [] });
}

function validated(shapes: Shapes, wkt: string): string {
  const shape = shapes.shape(wkt);
  // Throws for polygons that reach around the Earth.
  if (shape.rings.length > 0) figureOf(shape);
  return writeWkt(shape);
}

/** Returns the n-th point of a line, from 1; from the end if negative. Null if there is none. */
function pointOfLine({ kind, paths }: Shape, n: number): string | null {
  const [path] = paths;
  if (kind !== "LINESTRING" || !path) throw new Error("ST_STARTPOINT, ST_ENDPOINT and ST_POINTN are defined for single lines only");
  const index = n > 0 ? n - 1 : path.length / 2 + n;
  const [longitude, latitude] = [path[2 * index], path[2 * index + 1]];
  return n === 0 || longitude === undefined || latitude === undefined ? null : point(longitude, latitude);
}

function line(shapes: Shapes, a: string, b: string): string {
  const ends = [shapes.shape(a), shapes.shape(b)];
  if (ends.some(({ kind }) => kind !== "POINT" && kind !== "LINESTRING")) throw new Error("ST_MAKELINE takes points and lines only");
  return writeWkt({ kind: "LINESTRING", paths: [Float64Array.from(ends.flatMap(({ paths }) => [...(paths[0] ?? [])]))], rings: [] });
}

const text = (value: Cell | undefined): string => (typeof value === "string" ? value : "");

function definition(name: string, parameterTypes: readonly DuckDBType[], returnType: DuckDBType, of: NativeFunction["of"]): NativeFunction {
  return { name: `bq_st_${name}`, parameterTypes, returnType, of };
}

/**
 * Returns the functions behind the translated ST_ functions. A GEOGRAPHY is well-known text: points, lines and polygons in degrees, with
 * edges that are geodesics on BigQuery's sphere of 6,371,010 m. Distances are metres, surfaces square metres.
 */
export function geographyFunctions(): readonly NativeFunction[] {
  const shapes = new Shapes();
  const ofText = (name: string, returnType: DuckDBType, of: (wkt: string) => Cell) =>
    definition(name, [VARCHAR], returnType, (wkt) => of(text(wkt)));
  const ofTwo = (name: string, returnType: DuckDBType, of: (a: Figure, b: Figure) => Cell) =>
    definition(name, [VARCHAR, VARCHAR], returnType, (a, b) => of(shapes.figure(text(a)), shapes.figure(text(b))));
  return [
    definition("geogpoint", [DOUBLE, DOUBLE], VARCHAR, (lon, lat) => point(Number(lon), Number(lat))),
    ofText("geogfromtext", VARCHAR, (wkt) => validated(shapes, wkt)),
    ofText("astext", VARCHAR, (wkt) => writeWkt(shapes.shape(wkt), digits)),
    ofText("asgeojson", VARCHAR, (wkt) => geoJson(shapes.shape(wkt), digits)),
    ofText("geometrytype", VARCHAR, (wkt) => TYPE_NAMES[shapes.shape(wkt).kind]),
    ofText("dimension", BIGINT, (wkt) => BigInt(shapes.figure(wkt).dimension)),
    ofText("numpoints", BIGINT, (wkt) => BigInt(shapes.shape(wkt).paths.reduce((total, path) => total + path.length / 2, 0))),
    ofText("x", DOUBLE, (wkt) => coordinate(shapes, wkt, 0)),
    ofText("y", DOUBLE, (wkt) => coordinate(shapes, wkt, 1)),
    ofText("area", DOUBLE, (wkt) => area(shapes.figure(wkt))),
    ofText("length", DOUBLE, (wkt) => (shapes.figure(wkt).dimension === 1 ? length(shapes.figure(wkt)) : 0)),
    ofText("perimeter", DOUBLE, (wkt) => (shapes.figure(wkt).dimension === 2 ? length(shapes.figure(wkt)) : 0)),
    ofText("centroid", VARCHAR, (wkt) => point(...centroid(shapes.figure(wkt)))),
    definition("pointn", [VARCHAR, BIGINT], VARCHAR, (wkt, n) => pointOfLine(shapes.shape(text(wkt)), Number(n))),
    definition("makeline", [VARCHAR, VARCHAR], VARCHAR, (a, b) => line(shapes, text(a), text(b))),
    ofTwo("distance", DOUBLE, figureDistance),
    ofTwo("intersects", BOOLEAN, intersects),
    ofTwo("contains", BOOLEAN, (a, b) => contains(a, b, false)),
    ofTwo("covers", BOOLEAN, (a, b) => contains(a, b, true)),
    definition("distance_to", [VARCHAR, DOUBLE, DOUBLE], DOUBLE, (wkt, lon, lat) =>
      figureDistance(shapes.figure(text(wkt)), { dimension: 0, paths: [vectors(Float64Array.of(Number(lon), Number(lat)))], polygons: [] }),
    ),
  ];
}
