import type { Env } from "../analyze/env.ts";
import { unify } from "../analyze/operators.ts";
import type { Call } from "../parse/ast.ts";
import { arrayOf } from "../sql-type.ts";
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

const FLOAT = "FLOAT64";

/** A function of one float that fails where a finite argument has no finite result. */
function ofFloat(name: string, sql: (x: string) => string = (x) => `${name.toLowerCase()}(${x})`): Implementation {
  return scalar(signature([FLOAT], FLOAT, (x = "") => `bq_finite('${name}', isfinite(${x}), ${sql(x)})`));
}

/** A function of one float that DuckDB refuses as GoogleSQL does. */
function plain(name: string): Implementation {
  return scalar(signature([FLOAT], FLOAT, (x) => `${name}(${x})`));
}

const power = scalar(signature([FLOAT, FLOAT], FLOAT, (x, y) => `bq_finite('POW', isfinite(${x}) AND isfinite(${y}), pow(${x}, ${y}))`));
const logarithm = (x?: string) => `bq_ln(${x})`;

/** SAFE_ADD and so on: null on overflow. */
function safe(operator: "+" | "-" | "*"): Implementation {
  return scalar(
    signature(["INT64", "INT64"], "INT64", (a, b) => `TRY_CAST(CAST(${a} AS HUGEINT) ${operator} ${b} AS BIGINT)`),
    signature([FLOAT, FLOAT], FLOAT, (a, b) => `bq_finite_or_null(isfinite(${a}) AND isfinite(${b}), ${a} ${operator} ${b})`),
  );
}

/** RANGE_BUCKET(point, boundaries): how many of the ascending boundaries the point has reached. */
const RANGE_BUCKET = scalar(
  ...(["INT64", "NUMERIC", FLOAT, "DATE", "TIMESTAMP", "DATETIME", "STRING"] as const).map((type) =>
    signature([type, arrayOf(type)], "INT64", (point, bounds) => `bq_range_bucket(${point}, ${bounds})`),
  ),
);

export const NUMBER: Library = {
  ABS: scalar(
    signature(["INT64"], "INT64", (x) => `abs(${x})`),
    signature(["NUMERIC"], "NUMERIC", (x) => `abs(${x})`),
    signature([FLOAT], FLOAT, (x) => `abs(${x})`),
  ),
  SIGN: scalar(
    signature(["INT64"], "INT64", (x) => `CAST(sign(${x}) AS BIGINT)`),
    signature(["NUMERIC"], "NUMERIC", (x) => `CAST(sign(${x}) AS DECIMAL(38,9))`),
    signature([FLOAT], FLOAT, (x) => `CASE WHEN isnan(${x}) THEN ${x} ELSE CAST(sign(${x}) AS DOUBLE) END`),
  ),
  CEIL: rounding("ceil"),
  CEILING: rounding("ceil"),
  FLOOR: rounding("floor"),
  ROUND: scalar(
    signature([FLOAT], FLOAT, (x) => `round(${x})`),
    signature([FLOAT, "INT64"], FLOAT, (x, n) => `bq_round(${x}, ${n})`),
    signature(["NUMERIC"], "NUMERIC", (x) => `CAST(round(${x}, 0) AS DECIMAL(38,9))`),
    signature(["NUMERIC", "INT64"], "NUMERIC", (x, n) => `bq_round_numeric(${x}, ${n})`),
  ),
  TRUNC: scalar(
    signature([FLOAT], FLOAT, (x) => `trunc(${x})`),
    signature([FLOAT, "INT64"], FLOAT, (x, n) => `bq_trunc(${x}, ${n})`),
    signature(["NUMERIC"], "NUMERIC", (x) => `CAST(trunc(${x}) AS DECIMAL(38,9))`),
  ),
  GREATEST: extreme("greatest"),
  LEAST: extreme("least"),
  MOD: scalar(signature(["INT64", "INT64"], "INT64", (a, b) => `(${a} % bq_divisor(${b}))`)),
  DIV: scalar(signature(["INT64", "INT64"], "INT64", (a, b) => `(${a} // bq_divisor(${b}))`)),
  SAFE_DIVIDE: scalar(signature([FLOAT, FLOAT], FLOAT, (a, b) => `(${a} / nullif(${b}, CAST('0' AS DOUBLE)))`)),
  IEEE_DIVIDE: scalar(signature([FLOAT, FLOAT], FLOAT, (a, b) => `bq_ieee_divide(${a}, ${b})`)),
  SAFE_ADD: safe("+"),
  SAFE_SUBTRACT: safe("-"),
  SAFE_MULTIPLY: safe("*"),
  SAFE_NEGATE: scalar(
    signature(["INT64"], "INT64", (x) => `TRY_CAST(-CAST(${x} AS HUGEINT) AS BIGINT)`),
    signature([FLOAT], FLOAT, (x) => `(-${x})`),
  ),
  POW: power,
  POWER: power,
  SQRT: scalar(signature([FLOAT], FLOAT, (x) => `bq_sqrt(${x})`)),
  EXP: ofFloat("EXP"),
  LN: scalar(signature([FLOAT], FLOAT, logarithm)),
  LOG: scalar(
    signature([FLOAT], FLOAT, logarithm),
    signature([FLOAT, FLOAT], FLOAT, (x, base) => `bq_finite('LOG', isfinite(${x}), bq_ln(${x}) / bq_ln(${base}))`),
  ),
  LOG10: scalar(signature([FLOAT], FLOAT, (x) => `CASE WHEN bq_ln(${x}) IS NOT NULL THEN log10(${x}) END`)),
  SIN: plain("sin"),
  COS: plain("cos"),
  TAN: plain("tan"),
  ASIN: plain("asin"),
  ACOS: plain("acos"),
  ATAN: plain("atan"),
  ATAN2: scalar(signature([FLOAT, FLOAT], FLOAT, (y, x) => `atan2(${y}, ${x})`)),
  SINH: ofFloat("SINH"),
  COSH: ofFloat("COSH"),
  TANH: plain("tanh"),
  IS_NAN: scalar(signature([FLOAT], "BOOL", (x) => `isnan(${x})`)),
  IS_INF: scalar(signature([FLOAT], "BOOL", (x) => `isinf(${x})`)),
  RAND: scalar(signature([], FLOAT, () => "random()")),
  RANGE_BUCKET,
};
