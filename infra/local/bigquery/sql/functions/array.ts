import { unify } from "../analyze/operators.ts";
import { arrayOf } from "../sql-type.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

const length: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  const [array] = values;
  const isArray = array && typeof array.type !== "string" && array.type.kind === "ARRAY";
  if (!isArray || values.length !== 1) throw noMatch(call, env, values);
  return { sql: `len(${array.sql})`, type: "INT64", at: call.at };
};

/** Null if any array is null. DuckDB's own function treats null as an empty array. */
const concat: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  if (values.length === 0) throw noMatch(call, env, values);
  const { type, sql } = unify(env.context, call.name, values, call.at);
  if (typeof type === "string" || type.kind !== "ARRAY") throw noMatch(call, env, values);
  const joined = sql.reduce((left, right) => `list_concat(${left}, ${right})`);
  return { sql: `CASE WHEN ${sql.map((text) => `${text} IS NULL`).join(" OR ")} THEN NULL ELSE ${joined} END`, type, at: call.at };
};

/** A function of one array of any type, with an optional second argument of INT64. */
function ofArray(result: "element" | "array", sql: (list: string) => string): Implementation {
  return (call, env) => {
    const values = call.args.map((arg) => env.value(arg));
    const [array] = values;
    if (!array || typeof array.type === "string" || array.type.kind !== "ARRAY" || values.length !== 1) throw noMatch(call, env, values);
    return { sql: sql(array.sql), type: result === "array" ? array.type : array.type.element, at: call.at };
  };
}

const STRINGS = arrayOf("STRING");

export const ARRAY: Library = {
  ARRAY_LENGTH: length,
  ARRAY_CONCAT: concat,
  ARRAY_REVERSE: ofArray("array", (list) => `list_reverse(${list})`),
  ARRAY_FIRST: ofArray("element", (list) => `bq_end_of(${list}, 1, 'ARRAY_FIRST')`),
  ARRAY_LAST: ofArray("element", (list) => `bq_end_of(${list}, -1, 'ARRAY_LAST')`),
  // Null elements are left out, or written as the third argument.
  ARRAY_TO_STRING: scalar(
    signature([STRINGS, "STRING"], "STRING", (list, separator) => `bq_joined(list_filter(${list}, lambda x: x IS NOT NULL), ${separator})`),
    signature([STRINGS, "STRING", "STRING"], "STRING", (list, separator, none) => `bq_joined_with(${list}, ${separator}, ${none})`),
  ),
  GENERATE_ARRAY: scalar(
    signature(["INT64", "INT64"], arrayOf("INT64"), (a, b) => `bq_series(${a}, ${b}, 1)`),
    signature(["INT64", "INT64", "INT64"], arrayOf("INT64"), (a, b, step) => `bq_series(${a}, ${b}, ${step})`),
  ),
};
