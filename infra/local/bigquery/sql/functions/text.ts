import { castSql } from "../analyze/cast.ts";
import type { Value } from "../analyze/value.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

/** CONCAT: null if any argument is null. Numbers and dates become strings as with CAST. */
const concat: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  if (values.length === 0) throw noMatch(call, env, values);
  const bytes = values.every((value) => value.type === "BYTES");
  const text = (value: Value) => {
    const sql = bytes
      ? value.sql
      : value.type === "BYTES"
        ? undefined
        : value.type === "NULL"
          ? "CAST(NULL AS VARCHAR)"
          : castSql(value, "STRING", false);
    if (sql === undefined) throw noMatch(call, env, values);
    return sql;
  };
  return { sql: `(${values.map(text).join(" || ")})`, type: bytes ? "BYTES" : "STRING", at: call.at };
};

export const TEXT: Library = {
  CONCAT: concat,
  LOWER: scalar(signature(["STRING"], "STRING", (s) => `lower(${s})`)),
  UPPER: scalar(signature(["STRING"], "STRING", (s) => `upper(${s})`)),
  LENGTH: scalar(
    signature(["STRING"], "INT64", (s) => `length(${s})`),
    signature(["BYTES"], "INT64", (s) => `octet_length(${s})`),
  ),
  TRIM: scalar(
    signature(["STRING"], "STRING", (s) => `bq_trim(${s})`),
    signature(["STRING", "STRING"], "STRING", (s, set) => `trim(${s}, ${set})`),
  ),
  SUBSTR: scalar(
    signature(["STRING", "INT64"], "STRING", (s, p) => `bq_from_position(${s}, ${p})`),
    signature(["STRING", "INT64", "INT64"], "STRING", (s, p, n) => `bq_substr(${s}, ${p}, ${n})`),
  ),
  REPLACE: scalar(signature(["STRING", "STRING", "STRING"], "STRING", (s, from, to) => `replace(${s}, ${from}, ${to})`)),
  STARTS_WITH: scalar(signature(["STRING", "STRING"], "BOOL", (s, prefix) => `starts_with(${s}, ${prefix})`)),
  ENDS_WITH: scalar(signature(["STRING", "STRING"], "BOOL", (s, suffix) => `suffix(${s}, ${suffix})`)),
  SHA256: scalar(
    signature(["STRING"], "BYTES", (s) => `unhex(sha256(${s}))`),
    signature(["BYTES"], "BYTES", (s) => `unhex(sha256(${s}))`),
  ),
  TO_HEX: scalar(signature(["BYTES"], "STRING", (s) => `lower(hex(${s}))`)),
};
