import type { Env } from "../analyze/env.ts";
import { overSql } from "../analyze/ordering.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";

const NUMBERING: Readonly<Record<string, { readonly sql: string; readonly needsOrder: boolean }>> = {
  ROW_NUMBER: { sql: "row_number()", needsOrder: false },
  RANK: { sql: "rank()", needsOrder: true },
  DENSE_RANK: { sql: "dense_rank()", needsOrder: true },
};

export const NUMBERING_NAMES: readonly string[] = Object.keys(NUMBERING);

export function isNumbering(name: string): boolean {
  return Object.hasOwn(NUMBERING, name);
}

/** Translates ROW_NUMBER, RANK and DENSE_RANK. */
export function numbering(call: Call, env: Env): Value {
  const { context } = env;
  const known = NUMBERING[call.name];
  if (!known) throw context.fail(call.at, `Function not found: ${call.name}`);
  if (!call.over) throw context.fail(call.at, `Analytic function ${call.name} cannot be called without an OVER clause`);
  if (!env.windows) throw context.fail(call.at, `Analytic function ${call.name} not allowed in ${env.clause}`);
  if (call.args.length > 0 || call.star) throw context.fail(call.at, `${call.name} takes no arguments`);
  if (call.over.frame) throw context.fail(call.at, `Window framing clause is not allowed for analytic function ${call.name}`);
  if (known.needsOrder && call.over.orderBy.length === 0)
    throw context.fail(call.at, `Window ORDER BY is required for analytic function ${call.name}`);
  return { sql: `${known.sql}${overSql(call.over, env)}`, type: "INT64", at: call.at };
}
