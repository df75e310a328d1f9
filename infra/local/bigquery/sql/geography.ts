import { DOUBLE, VARCHAR } from "@duckdb/node-api";
import { distance, onSphere, type Sphere, vectors } from "./geography/distance.ts";
import { readWkt, type Shape, wrapped, writeWkt } from "./geography/wkt.ts";
import type { Cell, NativeFunction } from "./native/register.ts";

/** Cache size of parsed shapes, by text: a condition on a table of lines parses the same texts repeatedly. */
const KEPT_MAX = 50_000;

/** Formats a coordinate as BigQuery does, with at most 15 significant digits. */
function digits(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Parses the texts of geographies and caches the results. */
class Shapes {
  readonly #spheres = new Map<string, Sphere>();

  shape(text: string): Shape {
    const shape = readWkt(text);
    if (!shape)
      throw new Error(`Invalid GEOGRAPHY, or one that the local BigQuery does not support (points and lines only): ${text.slice(0, 80)}`);
    return shape;
  }

  sphere(text: string): Sphere {
    const known = this.#spheres.get(text);
    if (known) return known;
    const sphere = onSphere(this.shape(text));
    if (this.#spheres.size >= KEPT_MAX) this.#spheres.clear();
    this.#spheres.set(text, sphere);
    return sphere;
  }
}

function text(value: Cell | undefined): string {
  return typeof value === "string" ? value : "";
}

function coordinate(shapes: Shapes, wkt: string, index: 0 | 1): number {
  const { kind, paths } = shapes.shape(wkt);
  if (kind !== "POINT") throw new Error(`${index === 0 ? "ST_X" : "ST_Y"} is defined for single points only`);
  return paths[0]?.[index] ?? Number.NaN;
}

function point(longitude: number, latitude: number): string {
  if (!Number.isFinite(longitude) || !(Math.abs(latitude) <= 90)) throw new Error("Latitude must be between -90 and 90 degrees");
  return writeWkt({ kind: "POINT", paths: [Float64Array.of(wrapped(longitude), latitude)] });
}

const functions = (shapes: Shapes): readonly NativeFunction[] => [
  {
    name: "bq_st_geogpoint",
    parameterTypes: [DOUBLE, DOUBLE],
    returnType: VARCHAR,
    of: (lon, lat) => point(Number(lon), Number(lat)),
  },
  { name: "bq_st_geogfromtext", parameterTypes: [VARCHAR], returnType: VARCHAR, of: (wkt) => writeWkt(shapes.shape(text(wkt))) },
  { name: "bq_st_astext", parameterTypes: [VARCHAR], returnType: VARCHAR, of: (wkt) => writeWkt(shapes.shape(text(wkt)), digits) },
  { name: "bq_st_x", parameterTypes: [VARCHAR], returnType: DOUBLE, of: (wkt) => coordinate(shapes, text(wkt), 0) },
  { name: "bq_st_y", parameterTypes: [VARCHAR], returnType: DOUBLE, of: (wkt) => coordinate(shapes, text(wkt), 1) },
  {
    name: "bq_st_distance",
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: DOUBLE,
    of: (a, b) => distance(shapes.sphere(text(a)), shapes.sphere(text(b))),
  },
  {
    name: "bq_st_distance_to",
    parameterTypes: [VARCHAR, DOUBLE, DOUBLE],
    returnType: DOUBLE,
    of: (wkt, lon, lat) => distance(shapes.sphere(text(wkt)), [vectors(Float64Array.of(Number(lon), Number(lat)))]),
  },
];

/**
 * Returns the functions behind the translated ST_ functions. A GEOGRAPHY is well-known text: points and lines in degrees, joined by
 * geodesics on BigQuery's sphere of 6,371,010 m. Distances are metres.
 */
export function geographyFunctions(): readonly NativeFunction[] {
  return functions(new Shapes());
}
