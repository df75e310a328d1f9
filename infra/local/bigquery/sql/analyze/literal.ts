import type { Expression } from "../parse/ast.ts";
import { duckType, quoteText, type SqlType } from "../sql-type.ts";
import { temporalLiteral } from "./coerce.ts";
import type { Context } from "./context.ts";
import type { Value } from "./value.ts";

const INT64_MAX = 2n ** 63n - 1n;

function integer(context: Context, text: string, at: number): string {
  const negative = text.startsWith("-");
  const magnitude = BigInt(negative ? text.slice(1) : text);
  const value = negative ? -magnitude : magnitude;
  if (value > INT64_MAX || value < -INT64_MAX - 1n) throw context.fail(at, `Invalid integer literal: ${text}`);
  return value.toString();
}

/** Converts hexadecimal to DuckDB's BLOB literal. */
function blobSql(hex: string): string {
  return `CAST('${hex.replace(/../g, (pair) => `\\x${pair.toUpperCase()}`)}' AS BLOB)`;
}

function temporal(context: Context, type: SqlType & string, text: string, at: number): string {
  const sql = temporalLiteral(text, type);
  if (sql === undefined) throw context.fail(at, `Invalid ${type} literal "${text}"`);
  return sql;
}

/** Translates a literal, always with an explicit type: DuckDB types its own literals as INTEGER and DECIMAL. */
export function literalValue(context: Context, node: Extract<Expression, { kind: "literal" }>): Value {
  const { type, text, at } = node;
  const literal = { type, text };
  switch (type) {
    case "NULL":
      return { sql: "NULL", type, at, literal };
    case "BOOL":
      return { sql: text, type, at, literal };
    case "STRING":
      return { sql: quoteText(text), type, at, literal };
    case "INT64": {
      const value = integer(context, text, at);
      return { sql: `CAST(${value} AS BIGINT)`, type, at, literal: { type, text: value } };
    }
    case "FLOAT64":
      return { sql: `CAST('${text}' AS DOUBLE)`, type, at, literal };
    case "NUMERIC":
      if (!/^[+-]?(\d{1,29}(\.\d{0,9})?|\.\d{1,9})$/.test(text)) throw context.fail(at, `Invalid NUMERIC literal: ${text}`);
      return { sql: `CAST('${text}' AS ${duckType(type)})`, type, at };
    case "BYTES":
      return { sql: blobSql(text), type, at, literal };
    default:
      return { sql: temporal(context, type, text, at), type, at };
  }
}
