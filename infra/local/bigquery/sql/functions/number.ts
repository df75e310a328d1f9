import type { Env } from "../analyze/env.ts";
import { unify } from "../analyze/operators.ts";
import type { Call } from "../parse/ast.ts";
import { type Implementation, type Library, noMatch, scalar, signature } from "./signature.ts";

/** GREATEST and LEAST: null if any argument is null, NaN if any is NaN. DuckDB skips nulls and ranks NaN last. */
function extreme(name: "greatest" | "least"): Implementation {
  return (call: Call, env: Env) => {
    const values = call.args.map((arg) => env.value(arg));
    if (values.length === 0) throw noMatch(call, env, values);
    const { type, sql } = unify(env.context, call.name, values, call.at);
    if (typeof type !== "string" || type === "GEOGRAPHY" || type === "JSON") throw noMatch(call, env, values);
    const isNull = sql.map((text) => `${text} IS NULL`).join(" OR ");
    const isNan =
      type === "FLOAT64" && name === "least" ? ` WHEN ${sql.map((text) => `isnan(${text})`).join(" OR ")} THEN CAST('nan' AS DOUBLE)` : "";
    return { sql: `CASE WHEN ${isNull} THEN NULL${isNan} ELSE ${name}(${sql.join(", ")}) END`, type, at: call.at };
  };
}

function rounding(name: string): Implementation {
  return scalar(
    signature(["FLOAT64"], "FLOAT64", (x) => `${name}(${x})`),
    signature(["NUMERIC"], "NUMERIC", (x) => `CAST(${name}(${x}) AS DECIMAL(38,9))`),
  );
}

export const NUMBER: Library = {
  ABS: scalar(
    signature(["INT64"], "INT64", (x) => `abs(${x})`),
    signature(["NUMERIC"], "NUMERIC", (x) => `abs(${x})`),
    signature(["FLOAT64"], "FLOAT64", (x) => `abs(${x})`),
  ),
  CEIL: rounding("ceil"),
  CEILING: rounding("ceil"),
  FLOOR: rounding("floor"),
  ROUND: scalar(
    signature(["FLOAT64"], "FLOAT64", (x) => `round(${x})`),
    signature(["FLOAT64", "INT64"], "FLOAT64", (x, n) => `round(${x}, CAST(${n} AS INTEGER))`),
    signature(["NUMERIC"], "NUMERIC", (x) => `CAST(round(${x}, 0) AS DECIMAL(38,9))`),
  ),
  GREATEST: extreme("greatest"),
  LEAST: extreme("least"),
  MOD: scalar(signature(["INT64", "INT64"], "INT64", (a, b) => `(${a} % bq_divisor(${b}))`)),
  DIV: scalar(signature(["INT64", "INT64"], "INT64", (a, b) => `(${a} // bq_divisor(${b}))`)),
  SAFE_DIVIDE: scalar(signature(["FLOAT64", "FLOAT64"], "FLOAT64", (a, b) => `(${a} / nullif(${b}, CAST('0' AS DOUBLE)))`)),
};
