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

/** Shapes kept by their text: a condition on a table of lines reads the same texts again and again. */
const KEPT_MAX = 50_000;

/** BigQuery writes coordinates with 15 significant digits at most. */
function digits(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Reads the texts of geographies, each once. */
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

/** A value of a vector: null stays null. */
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
  readonly takes: readonly DuckDBType[];
  readonly gives: DuckDBType;
  /** The value for a row whose arguments are not null. Throws what is wrong with them. */
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
  { name: "bq_st_geogpoint", takes: [DOUBLE, DOUBLE], gives: VARCHAR, of: (_shapes, lon, lat) => point(Number(lon), Number(lat)) },
  { name: "bq_st_geogfromtext", takes: [VARCHAR], gives: VARCHAR, of: (shapes, wkt) => writeWkt(shapes.shape(text(wkt))) },
  { name: "bq_st_astext", takes: [VARCHAR], gives: VARCHAR, of: (shapes, wkt) => writeWkt(shapes.shape(text(wkt)), digits) },
  { name: "bq_st_x", takes: [VARCHAR], gives: DOUBLE, of: (shapes, wkt) => coordinate(shapes, text(wkt), 0) },
  { name: "bq_st_y", takes: [VARCHAR], gives: DOUBLE, of: (shapes, wkt) => coordinate(shapes, text(wkt), 1) },
  {
    name: "bq_st_distance",
    takes: [VARCHAR, VARCHAR],
    gives: DOUBLE,
    of: (shapes, a, b) => distance(shapes.sphere(text(a)), shapes.sphere(text(b))),
  },
  {
    name: "bq_st_distance_to",
    takes: [VARCHAR, DOUBLE, DOUBLE],
    gives: DOUBLE,
    of: (shapes, wkt, lon, lat) => distance(shapes.sphere(text(wkt)), [vectors(Float64Array.of(Number(lon), Number(lat)))]),
  },
];

function registered({ name, takes, gives, of }: Definition, shapes: Shapes): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes: takes,
    returnType: gives,
    mainFunction: (info, chunk, output) => {
      try {
        if (!isWritable(output)) throw new Error("The result of a geography function cannot be written");
        const columns = takes.map((_, index) => column(chunk, index));
        for (let row = 0; row < chunk.rowCount; row++) {
          const args = columns.map((cell) => cell(row)).filter((cell) => cell !== null);
          output.setItem(row, args.length === takes.length ? of(shapes, ...args) : null);
        }
        output.flush();
      } catch (error) {
        info.setError(error instanceof Error ? error.message : "A geography function failed");
      }
    },
  });
}

/**
 * Defines what the translated ST_ functions call, on a connection, for its whole database. A GEOGRAPHY is well-known text: points and lines in
 * degrees, joined by geodesics on BigQuery's sphere of 6,371,010 m; distances are metres.
 */
export function registerGeography(connection: DuckDBConnection): void {
  const shapes = new Shapes();
  for (const definition of DEFINITIONS) connection.registerScalarFunction(registered(definition, shapes));
}
