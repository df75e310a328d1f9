import { castSql } from "../analyze/cast.ts";
import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import { TEXT_BYTES_MAX } from "../output-limits.ts";
import type { Call } from "../parse/ast.ts";
import { quoteText, typeText } from "../sql-type.ts";
import type { Implementation, Library } from "./signature.ts";

/** A conversion with optional flags, width and precision, or a text without one. */
const PART = /%%|%[-+ 0#']*\d*(?:\.\d*)?[a-zA-Z]|[^%]+|%/gs;

/** Returns DuckDB SQL of one conversion. Undefined if the value's type does not fit or the conversion is not supported here. */
function converted(conversion: string, value: Value): string | undefined {
  const letter = conversion.slice(-1);
  const spec = quoteText(conversion);
  if ("dixXo".includes(letter))
    return value.type === "INT64" || value.type === "NULL" ? `bq_format_int(${coerce(value, "INT64")}, ${spec})` : undefined;
  if ("fFeEgG".includes(letter)) {
    const float = value.type === "FLOAT64" || value.type === "NULL" ? coerce(value, "FLOAT64") : undefined;
    return float && `bq_format_float(${float}, ${spec})`;
  }
  if (letter === "s") return value.type === "STRING" ? `bq_format_text(${value.sql}, ${spec})` : undefined;
  // A float keeps its point with %t.
  if (letter !== "t" || value.type === "FLOAT64" || typeof value.type !== "string") return undefined;
  const text = value.type === "NULL" ? "'NULL'" : castSql(value, "STRING", false);
  return text && `bq_format_text(coalesce(${text}, 'NULL'), ${spec})`;
}

/** Refuses widths and precisions that alone make the result longer than GoogleSQL's FORMAT makes any. */
function assertWidths(call: Call, env: Env, conversions: readonly string[]): void {
  const widths = conversions.map((part) => Math.max(0, ...(part.match(/\d+/g) ?? []).map(Number)));
  const tooWide = widths.find((width) => width > TEXT_BYTES_MAX);
  if (tooWide !== undefined)
    throw env.context.fail(call.at, `Width ${tooWide} exceeds the maximum supported output width of FORMAT. Limit: ${TEXT_BYTES_MAX}`);
  if (widths.reduce((sum, width) => sum + width, 0) > TEXT_BYTES_MAX)
    throw env.context.fail(call.at, `Output string too long while evaluating FORMAT; limit ${TEXT_BYTES_MAX}`);
}

function parts(call: Call, env: Env, format: string, values: readonly Value[]): string[] {
  let next = 0;
  const found: readonly string[] = format.match(PART) ?? [];
  const conversions = found.filter((part) => part.startsWith("%"));
  assertWidths(call, env, conversions);
  const texts = found.map((part) => {
    if (part === "%%") return "'%'";
    if (!part.startsWith("%")) return quoteText(part);
    const value = values[next];
    next += 1;
    if (part === "%") throw env.context.fail(call.at, "Invalid format specifier in FORMAT");
    if (!value) throw env.context.fail(call.at, `Too few arguments to FORMAT for pattern ${quoteText(format)}`);
    const sql = converted(part, value);
    if (sql === undefined)
      throw env.context.fail(call.at, `FORMAT with ${part} of ${typeText(value.type)} is not supported by the local BigQuery`);
    return sql;
  });
  if (next < values.length) throw env.context.fail(call.at, `Too many arguments to FORMAT for pattern ${quoteText(format)}`);
  return texts;
}

/** FORMAT(format, …) as C's printf: null if an argument is null, but for %t. */
const format: Implementation = (call, env) => {
  const [first, ...values] = call.args.map((arg) => env.value(arg));
  if (first?.literal?.type !== "STRING")
    throw env.context.fail(call.at, "FORMAT with a format that is not a literal is not supported by the local BigQuery");
  const texts = parts(call, env, first.literal.text, values);
  return { sql: texts.length === 0 ? "''" : `(${texts.join(" || ")})`, type: "STRING", at: call.at };
};

export const PRINTF: Library = { FORMAT: format };
