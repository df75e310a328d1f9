import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import { isSurelyBeyond } from "../geography/screen.ts";
import type { Call } from "../parse/ast.ts";
import type { SqlType } from "../sql-type.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

const point: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  const [longitude, latitude] = values.map((value) => coerce(value, "FLOAT64"));
  if (values.length !== 2 || longitude === undefined || latitude === undefined) throw noMatch(call, env, values);
  const checked = { longitude: `bq_longitude(${longitude})`, latitude: `bq_latitude(${latitude})` };
  return { sql: `bq_st_geogpoint(${checked.longitude}, ${checked.latitude})`, type: "GEOGRAPHY", at: call.at, point: checked };
};

function geographies(call: Call, env: Env, count: number): Value[] {
  const values = call.args.map((arg) => env.value(arg));
  const found = values.slice(0, 2);
  if (values.length !== count || found.some((value) => coerce(value, "GEOGRAPHY") === undefined)) throw noMatch(call, env, values);
  return values;
}

/** Translates a distance. Points given by coordinates are neither formatted nor parsed as text. */
function distanceSql(a: Value, b: Value): string {
  if (a.point && b.point) return `bq_point_distance(${a.point.longitude}, ${a.point.latitude}, ${b.point.longitude}, ${b.point.latitude})`;
  const [shape, other] = a.point ? [b, a] : [a, b];
  const text = coerce(shape, "GEOGRAPHY") ?? shape.sql;
  if (other.point) return `bq_st_distance_to(${text}, ${other.point.longitude}, ${other.point.latitude})`;
  return `bq_st_distance(${text}, ${coerce(other, "GEOGRAPHY") ?? other.sql})`;
}

const distance: Implementation = (call, env) => {
  const [a, b] = geographies(call, env, 2);
  if (!a || !b) throw noMatch(call, env, []);
  return { sql: distanceSql(a, b), type: "FLOAT64", at: call.at };
};

const within: Implementation = (call, env) => {
  const values = geographies(call, env, 3);
  const [a, b, metres] = values;
  const limit = metres && coerce(metres, "FLOAT64");
  if (!a || !b || limit === undefined) throw noMatch(call, env, values);
  const plain = `(${distanceSql(a, b)} <= ${limit})`;
  const [shape, { point: middle }] = a.point ? [b, a] : [a, b];
  if (shape.point || !middle) return { sql: plain, type: "BOOL", at: call.at };
  // CASE, since DuckDB may reorder the operands of AND.
  const beyond = isSurelyBeyond(coerce(shape, "GEOGRAPHY") ?? shape.sql, middle, limit);
  return { sql: `(CASE WHEN ${beyond} THEN FALSE ELSE ${plain} END)`, type: "BOOL", at: call.at };
};

function coordinate(name: "longitude" | "latitude", fromText: string): Implementation {
  return (call, env) => {
    const values = call.args.map((arg) => env.value(arg));
    const [value] = values;
    if (value?.point && values.length === 1) return { sql: value.point[name], type: "FLOAT64", at: call.at };
    return scalar(signature(["GEOGRAPHY"], "FLOAT64", (text) => `${fromText}(${text})`))(call, env);
  };
}

function ofOne(result: SqlType, native: string): Implementation {
  return scalar(signature(["GEOGRAPHY"], result, (text) => `${native}(${text})`));
}

function ofTwo(sql: (a: string, b: string) => string): Implementation {
  return scalar(signature(["GEOGRAPHY", "GEOGRAPHY"], "BOOL", (a = "", b = "") => sql(a, b)));
}

export const GEOGRAPHY: Library = {
  ST_GEOGPOINT: point,
  ST_DISTANCE: distance,
  ST_DWITHIN: within,
  ST_X: coordinate("longitude", "bq_st_x"),
  ST_Y: coordinate("latitude", "bq_st_y"),
  ST_ASGEOJSON: ofOne("STRING", "bq_st_asgeojson"),
  ST_GEOMETRYTYPE: ofOne("STRING", "bq_st_geometrytype"),
  ST_DIMENSION: ofOne("INT64", "bq_st_dimension"),
  ST_NUMPOINTS: ofOne("INT64", "bq_st_numpoints"),
  ST_NPOINTS: ofOne("INT64", "bq_st_numpoints"),
  ST_AREA: ofOne("FLOAT64", "bq_st_area"),
  ST_LENGTH: ofOne("FLOAT64", "bq_st_length"),
  ST_PERIMETER: ofOne("FLOAT64", "bq_st_perimeter"),
  ST_CENTROID: ofOne("GEOGRAPHY", "bq_st_centroid"),
  ST_STARTPOINT: scalar(signature(["GEOGRAPHY"], "GEOGRAPHY", (line) => `bq_st_pointn(${line}, 1)`)),
  ST_ENDPOINT: scalar(signature(["GEOGRAPHY"], "GEOGRAPHY", (line) => `bq_st_pointn(${line}, -1)`)),
  ST_POINTN: scalar(signature(["GEOGRAPHY", "INT64"], "GEOGRAPHY", (line, n) => `bq_st_pointn(${line}, ${n})`)),
  ST_MAKELINE: scalar(signature(["GEOGRAPHY", "GEOGRAPHY"], "GEOGRAPHY", (a, b) => `bq_st_makeline(${a}, ${b})`)),
  ST_INTERSECTS: ofTwo((a, b) => `bq_st_intersects(${a}, ${b})`),
  ST_DISJOINT: ofTwo((a, b) => `(NOT bq_st_intersects(${a}, ${b}))`),
  ST_CONTAINS: ofTwo((a, b) => `bq_st_contains(${a}, ${b})`),
  ST_COVERS: ofTwo((a, b) => `bq_st_covers(${a}, ${b})`),
  ST_WITHIN: ofTwo((a, b) => `bq_st_contains(${b}, ${a})`),
  ST_COVEREDBY: ofTwo((a, b) => `bq_st_covers(${b}, ${a})`),
  ST_ASTEXT: scalar(signature(["GEOGRAPHY"], "STRING", (text) => `bq_st_astext(${text})`)),
  ST_GEOGFROM: scalar(signature(["STRING"], "GEOGRAPHY", (text) => `bq_st_geogfromtext(${text})`)),
  ST_GEOGFROMTEXT: scalar(signature(["STRING"], "GEOGRAPHY", (text) => `bq_st_geogfromtext(${text})`)),
};
