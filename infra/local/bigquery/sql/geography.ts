import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBType,
  type DuckDBVector,
  VARCHAR,
} from "@duckdb/node-api";
import { distance, onSphere, type Sphere, vectors } from "./geography/distance.ts";
import { readWkt, type Shape, wrapped, writeWkt } from "./geography/wkt.ts";

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
      throw new Error(`Invalid GEOGRAPHY, or one that the local warehouse does not support (points and lines only): ${text.slice(0, 80)}`);
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

/** A value of a vector. Null stays null. */
type Cell = string | number | null;

function column(chunk: DuckDBDataChunk, index: number): (row: number) => Cell {
  const vector = chunk.getColumnVector(index);
  return (row) => {
    const item = vector.getItem(row);
    return typeof item === "string" || typeof item === "number" ? item : null;
  };
}

function isWritable(vector: DuckDBVector): vector is DuckDBVector & { setItem(row: number, value: Cell): void } {
  return "setItem" in vector;
}

interface Definition {
  readonly name: string;
  readonly parameterTypes: readonly DuckDBType[];
  readonly returnType: DuckDBType;
  /** Returns the value for a row whose arguments are not null. Throws if they are invalid. */
  readonly of: (shapes: Shapes, ...args: readonly (string | number)[]) => Cell;
}

function text(value: string | number | undefined): string {
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

const DEFINITIONS: readonly Definition[] = [
  {
    name: "bq_st_geogpoint",
    parameterTypes: [DOUBLE, DOUBLE],
    returnType: VARCHAR,
    of: (_shapes, lon, lat) => point(Number(lon), Number(lat)),
  },
  { name: "bq_st_geogfromtext", parameterTypes: [VARCHAR], returnType: VARCHAR, of: (shapes, wkt) => writeWkt(shapes.shape(text(wkt))) },
  { name: "bq_st_astext", parameterTypes: [VARCHAR], returnType: VARCHAR, of: (shapes, wkt) => writeWkt(shapes.shape(text(wkt)), digits) },
  { name: "bq_st_x", parameterTypes: [VARCHAR], returnType: DOUBLE, of: (shapes, wkt) => coordinate(shapes, text(wkt), 0) },
  { name: "bq_st_y", parameterTypes: [VARCHAR], returnType: DOUBLE, of: (shapes, wkt) => coordinate(shapes, text(wkt), 1) },
  {
    name: "bq_st_distance",
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: DOUBLE,
    of: (shapes, a, b) => distance(shapes.sphere(text(a)), shapes.sphere(text(b))),
  },
  {
    name: "bq_st_distance_to",
    parameterTypes: [VARCHAR, DOUBLE, DOUBLE],
    returnType: DOUBLE,
    of: (shapes, wkt, lon, lat) => distance(shapes.sphere(text(wkt)), [vectors(Float64Array.of(Number(lon), Number(lat)))]),
  },
];

function registered({ name, parameterTypes, returnType, of }: Definition, shapes: Shapes): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes,
    returnType,
    mainFunction: (info, chunk, output) => {
      try {
        if (!isWritable(output)) throw new Error("The result of a geography function cannot be written");
        const columns = parameterTypes.map((_, index) => column(chunk, index));
        for (let row = 0; row < chunk.rowCount; row++) {
          const args = columns.map((cell) => cell(row)).filter((cell) => cell !== null);
          output.setItem(row, args.length === parameterTypes.length ? of(shapes, ...args) : null);
        }
        output.flush();
      } catch (error) {
        info.setError(error instanceof Error ? error.message : "A geography function failed");
      }
    },
  });
}

/**
 * Registers the functions behind the translated ST_ functions, on a connection, for its whole database. A GEOGRAPHY is well-known text:
 * points and lines in degrees, joined by geodesics on BigQuery's sphere of 6,371,010 m. Distances are metres.
 */
export function registerGeography(connection: DuckDBConnection): void {
  const shapes = new Shapes();
  for (const definition of DEFINITIONS) connection.registerScalarFunction(registered(definition, shapes));
}
