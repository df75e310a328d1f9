import { BigQueryError } from "../../model.ts";

/** Where an offset is, as BigQuery writes it in its errors: `[line:column]`, both from 1. */
export function position(sql: string, at: number): string {
  const before = sql.slice(0, at);
  const line = before.split("\n").length;
  return `[${line}:${at - before.lastIndexOf("\n")}]`;
}

/** A syntax error in BigQuery's words, with its position. */
export function syntaxError(sql: string, at: number, message: string): BigQueryError {
  return new BigQueryError("invalidQuery", `Syntax error: ${message} at ${position(sql, at)}`, "query");
}
