import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Expression } from "../parse/ast.ts";

export const UTC = "'UTC'";

/** Returns DuckDB SQL of a time zone argument, UTC if omitted. Literal offsets such as `+02:00` are rejected. */
export function zoneArgument(node: Expression | undefined, env: Env): string {
  if (!node) return UTC;
  const value = env.value(node);
  const sql = coerce(value, "STRING");
  if (sql === undefined) throw env.context.fail(node.at, "A time zone must be of type STRING");
  if (value.literal && /^[+-]|^$/.test(value.literal.text))
    throw env.context.fail(node.at, `Time zone '${value.literal.text}' is not supported by the local BigQuery; name a zone`);
  return sql;
}

/** Returns the civil time of an instant. */
export function civil(timestamp: string, zone: string): string {
  return `timezone(${zone}, ${timestamp})`;
}

/** Returns the instant of a civil time. UTC has no clock changes to handle. */
export function fromCivil(datetime: string, zone: string): string {
  return zone === UTC ? `timezone(${UTC}, ${datetime})` : `bq_from_civil(${datetime}, ${zone})`;
}
