import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import { silent } from "../macros.ts";
import type { Call, Expression } from "../parse/ast.ts";
import { quoteName } from "../sql-type.ts";

/** Functions whose result differs from call to call: DuckDB has no TRY for them. */
const VOLATILE: readonly string[] = ["RAND", "GENERATE_UUID"];

function cannotFail(value: Value): boolean {
  return value.literal !== undefined || value.parameter === true || (value.column !== undefined && value.column.sql === value.sql);
}

/**
 * Translates `SAFE.f(…)`: null instead of an error of `f` itself. Errors of its arguments stay errors, so these are computed outside of
 * DuckDB's TRY, as fields of a struct that a lambda reads. TRY is always in a lambda: DuckDB moves expressions that occur twice out of a
 * TRY that is not, and then their errors are not caught.
 */
export function safeCall(call: Call, env: Env, make: (call: Call, env: Env) => Value): Value {
  if (VOLATILE.includes(call.name)) return make(call, env);
  const row = env.context.alias();
  const outside: string[] = [];
  const inside = env.with({
    evaluate: (node: Expression, inner: Env) => {
      const value = env.evaluate(node, inner);
      if (!call.args.includes(node) || cannotFail(value)) return value;
      const name = quoteName(`a${outside.length}`);
      outside.push(`${name} := ${value.sql}`);
      return { sql: `(${row}.${name})`, type: value.type, at: value.at };
    },
  });
  const value = make({ ...call, safe: false }, inside);
  const fields = outside.length === 0 ? "0" : `struct_pack(${outside.join(", ")})`;
  const sql = `list_extract(list_transform([${fields}], lambda ${row}: TRY(${silent(value.sql)})), 1)`;
  return { sql, type: value.type, at: call.at };
}
