import type { Env } from "../analyze/env.ts";
import { fieldName, quoteName, quoteText, type SqlType, typeText } from "../sql-type.ts";
import { type Implementation, type Library, noMatch } from "./signature.ts";

/** DuckDB SQL of the JSON text of a value that is not null, for each scalar type. Whole numbers beyond 2^53 are strings, as in BigQuery. */
const OF_SCALAR: Readonly<Record<string, (sql: string) => string>> = {
  INT64: (x) => `bq_json_int(${x})`,
  FLOAT64: (x) => `bq_json_float(${x})`,
  NUMERIC: (x) => `bq_json_numeric(${x})`,
  BOOL: (x) => `CAST(${x} AS VARCHAR)`,
  STRING: (x) => `bq_json_text(${x})`,
  BYTES: (x) => `('"' || base64(${x}) || '"')`,
  DATE: (x) => `('"' || strftime(${x}, '%Y-%m-%d') || '"')`,
  TIME: (x) => `('"' || bq_time_text(${x}) || '"')`,
  DATETIME: (x) => `('"' || replace(bq_civil_text(${x}), ' ', 'T') || '"')`,
  TIMESTAMP: (x) => `('"' || replace(bq_civil_text(timezone('UTC', ${x})), ' ', 'T') || 'Z"')`,
};

/** Returns DuckDB SQL of the JSON text of a value: `null` for null. Undefined for a type that has no JSON text here. */
function jsonText(sql: string, type: SqlType, env: Env): string | undefined {
  if (type === "NULL") return "'null'";
  if (typeof type === "string") {
    const text = OF_SCALAR[type]?.(sql);
    return text && `coalesce(${text}, 'null')`;
  }
  if (type.kind === "ARRAY") {
    const element = env.context.alias();
    const text = jsonText(element, type.element, env);
    return text && `coalesce('[' || array_to_string(list_transform(${sql}, lambda ${element}: ${text}), ',') || ']', 'null')`;
  }
  const fields = type.fields.map((field, index) => {
    const text = jsonText(`(${sql}).${quoteName(fieldName(field, index))}`, field.type, env);
    return text && `${quoteText(`${JSON.stringify(field.name ?? "")}:`)} || ${text}`;
  });
  if (fields.some((field) => field === undefined)) return undefined;
  return `CASE WHEN ${sql} IS NULL THEN 'null' ELSE '{' || ${fields.join(" || ',' || ")} || '}' END`;
}

const toJsonString: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  const [value, pretty] = values;
  const isPlain = !pretty || (pretty.literal?.type === "BOOL" && pretty.literal.text === "FALSE");
  if (!value || values.length > 2) throw noMatch(call, env, values);
  if (!isPlain) throw env.context.fail(call.at, "TO_JSON_STRING with pretty_print is not supported by the local BigQuery");
  const sql = jsonText(value.sql, value.type, env);
  if (sql === undefined)
    throw env.context.fail(call.at, `TO_JSON_STRING of ${typeText(value.type)} is not supported by the local BigQuery`);
  return { sql, type: "STRING", at: call.at };
};

/** A step of a JSONPath: a member's name or an element's index. */
type Step = string | number;

/** Parses the JSONPath of the functions JSON_VALUE and JSON_QUERY: `$.a."b c"[0]`. Undefined if it is not valid. */
function jsonPath(text: string): readonly Step[] | undefined {
  if (!text.startsWith("$")) return undefined;
  const steps: Step[] = [];
  let rest = text.slice(1);
  while (rest !== "") {
    const match = /^\."((?:[^"\\]|\\.)*)"|^\.([^.[\]"']+)|^\[(\d+)\]/.exec(rest);
    if (!match) return undefined;
    const [whole, quoted, plain, index] = match;
    steps.push(index === undefined ? (plain ?? (quoted ?? "").replace(/\\(.)/g, "$1")) : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** JSON_VALUE and JSON_QUERY of a text, with a path that is a literal. */
function atPath(native: string): Implementation {
  return (call, env) => {
    const values = call.args.map((arg) => env.value(arg));
    const [json, path] = values;
    if (json?.type !== "STRING" || values.length > 2) {
      if (json?.type === "JSON")
        throw env.context.fail(call.at, `${call.name} of JSON is not supported by the local BigQuery; of a STRING it is`);
      throw noMatch(call, env, values);
    }
    const text = path === undefined ? "$" : path.literal?.type === "STRING" ? path.literal.text : undefined;
    if (text === undefined)
      throw env.context.fail(call.at, "JSONPath must be a string literal or query parameter; here it is a literal only");
    const steps = jsonPath(text);
    if (!steps) throw env.context.fail(call.at, `Invalid JSONPath: ${text}`);
    return { sql: `${native}(${json.sql}, ${quoteText(JSON.stringify(steps))})`, type: "STRING", at: call.at };
  };
}

export const JSON_FUNCTIONS: Library = {
  TO_JSON_STRING: toJsonString,
  JSON_VALUE: atPath("bq_json_value"),
  JSON_EXTRACT_SCALAR: atPath("bq_json_value"),
  JSON_QUERY: atPath("bq_json_query"),
  JSON_EXTRACT: atPath("bq_json_query"),
};
