import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { arrayOf } from "../sql-type.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

interface Pattern {
  readonly sql: string;
  /** The number of capturing groups. Undefined if the pattern is not a literal. */
  readonly groups: number | undefined;
  readonly text: string;
}

/** Counts the capturing groups of a pattern in RE2's syntax. */
function groupsOf(pattern: string): number {
  const bare = pattern
    .replace(/\\Q[\s\S]*?(?:\\E|$)/g, "")
    .replace(/\\[\s\S]/g, "")
    .replace(/\[\^?\]?(?:\[:\^?\w+:\]|[^\]])*\]/g, "");
  return (bare.match(/\((?!\?)|\(\?P?</g) ?? []).length;
}

function strings(call: Call, env: Env, count: number): { values: readonly Value[]; sql: readonly string[] } {
  const values = call.args.map((arg) => env.value(arg));
  const sql = values.slice(0, count).map((value) => coerce(value, "STRING"));
  const known = sql.filter((text) => text !== undefined);
  if (values.length < count || known.length < count) throw noMatch(call, env, values);
  return { values, sql: known };
}

function patternOf(value: Value | undefined, sql: string | undefined): Pattern {
  const text = value?.literal?.type === "STRING" ? value.literal.text : undefined;
  return { sql: sql ?? "", groups: text === undefined ? undefined : groupsOf(text), text: text ?? "" };
}

/** Returns the group to extract: the only one, or 0 for the whole match. DuckDB cannot tell a group that took no part from an empty one. */
function extracted(call: Call, env: Env, { groups, text }: Pattern): 0 | 1 {
  const refuse = (what: string) => env.context.fail(call.at, `${call.name} with ${what} is not supported by the local BigQuery`);
  if (groups === undefined) throw refuse("a pattern that is not a literal");
  if (groups > 1)
    throw env.context.fail(call.at, "Regular expressions passed into extraction functions must not have more than 1 capturing group");
  if (groups === 1 && /\)[?*]|\)\{0|\)\{,|\|/.test(text)) throw refuse("a group that may take no part in the match");
  return groups === 0 ? 0 : 1;
}

const extract: Implementation = (call, env) => {
  const { values, sql } = strings(call, env, 2);
  const [value = "", regexp] = sql;
  const pattern = patternOf(values[1], regexp);
  const group = extracted(call, env, pattern);
  const { at } = call;
  if (values.length === 2)
    return {
      sql: `CASE WHEN regexp_matches(${value}, ${pattern.sql}) THEN regexp_extract(${value}, ${pattern.sql}, ${group}) END`,
      type: "STRING",
      at,
    };
  const [start, nth] = [values[2], values[3]].map((number) => (number ? coerce(number, "INT64") : "1"));
  if (start === undefined || nth === undefined || values.length > 4) throw noMatch(call, env, values);
  if (/\^|\\[AbB]/.test(pattern.text))
    throw env.context.fail(at, `${call.name} with a position and an anchor is not supported by the local BigQuery`);
  const from = `substring(${value}, bq_at_least(${start}, 1, 'Position must be positive'))`;
  return {
    sql: `list_extract(bq_extract_all(${from}, ${pattern.sql}, ${group}), bq_at_least(${nth}, 1, 'Occurrence must be positive'))`,
    type: "STRING",
    at,
  };
};

const extractAll: Implementation = (call, env) => {
  const { values, sql } = strings(call, env, 2);
  if (values.length > 2) throw noMatch(call, env, values);
  const pattern = patternOf(values[1], sql[1]);
  const group = extracted(call, env, pattern);
  return { sql: `bq_extract_all(${sql[0]}, ${pattern.sql}, ${group})`, type: arrayOf("STRING"), at: call.at };
};

/** DuckDB leaves the text unchanged if the replacement asks for a group that the pattern does not have. */
const replace: Implementation = (call, env) => {
  const { values, sql } = strings(call, env, 3);
  const [value, , rewrite] = values;
  if (values.length > 3 || !value) throw noMatch(call, env, values);
  const { groups, sql: pattern } = patternOf(values[1], sql[1]);
  const text = rewrite?.literal?.type === "STRING" ? rewrite.literal.text : undefined;
  const asked = [...(text ?? "").matchAll(/\\(\\|\d|.|$)/gs)].map(([, what = ""]) => what);
  if (asked.some((what) => !/^[\\\d]$/.test(what))) throw env.context.fail(call.at, "Invalid REGEXP_REPLACE pattern");
  const highest = Math.max(0, ...asked.filter((what) => what !== "\\").map(Number));
  if (groups !== undefined && highest > groups)
    throw env.context.fail(
      call.at,
      `Invalid REGEXP_REPLACE pattern: Rewrite schema requests ${highest} matches, but the regexp only has ${groups} parenthesized subexpressions.`,
    );
  if (groups === undefined && highest > 0)
    throw env.context.fail(call.at, "REGEXP_REPLACE with groups of a pattern that is not a literal is not supported by the local BigQuery");
  const plain = text === undefined ? `bq_plain_rewrite(${sql[2]})` : sql[2];
  return { sql: `regexp_replace(${sql[0]}, ${pattern}, ${plain}, 'g')`, type: "STRING", at: call.at };
};

export const REGEXP: Library = {
  REGEXP_CONTAINS: scalar(signature(["STRING", "STRING"], "BOOL", (s, pattern) => `regexp_matches(${s}, ${pattern})`)),
  REGEXP_EXTRACT: extract,
  REGEXP_SUBSTR: extract,
  REGEXP_EXTRACT_ALL: extractAll,
  REGEXP_REPLACE: replace,
};
