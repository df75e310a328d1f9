import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import type { SqlType } from "../sql-type.ts";

/** An aggregate's arguments and modifiers. */
export interface Aggregation {
  readonly call: Call;
  readonly env: Env;
  readonly values: readonly Value[];
  readonly distinct: string;
  /** ` ORDER BY …` inside the call, or empty. */
  readonly order: string;
  /** ` OVER (…)`, or empty. */
  readonly over: string;
}

export interface Aggregate {
  /** Modifiers that GoogleSQL allows here and the local warehouse translates. */
  readonly allows: readonly ("distinct" | "nulls" | "order" | "limit" | "having" | "over" | "star")[];
  readonly make: (aggregation: Aggregation) => Value | undefined;
}

/** Returns the aggregate's result. */
export function typed(sql: string, type: SqlType, { call }: Aggregation): Value {
  return { sql, type, at: call.at };
}

/** Returns the only argument. Undefined if there are none or several. */
export function one({ values }: Aggregation): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}
