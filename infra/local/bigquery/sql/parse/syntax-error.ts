import { BigQueryError } from "../../model.ts";

/** Formats an offset as in BigQuery's errors: `[line:column]`, both from 1. */
export function position(sql: string, at: number): string {
  const before = sql.slice(0, at);
  const line = before.split("\n").length;
  return `[${line}:${at - before.lastIndexOf("\n")}]`;
}

/** Returns a syntax error in BigQuery's words, with its position. */
export function syntaxError(sql: string, at: number, message: string): BigQueryError {
  return new BigQueryError("invalidQuery", `Syntax error: ${message} at ${position(sql, at)}`, "query");
}
