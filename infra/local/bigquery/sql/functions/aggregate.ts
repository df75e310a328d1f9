import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import { isOrderable } from "../analyze/operators.ts";
import { orderKeys, overSql } from "../analyze/ordering.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { arrayOf, type SqlType } from "../sql-type.ts";
import { type Aggregate, type Aggregation, one, typed } from "./aggregation.ts";
import { noMatch } from "./signature.ts";
import { atExtreme, STATISTICS } from "./statistics.ts";
import { unknownFunction } from "./unknown.ts";

const sum: Aggregate["make"] = (a) => {
  const value = one(a);
  const type = value?.type === "NULL" ? "INT64" : value?.type;
  if (!value || (type !== "INT64" && type !== "FLOAT64" && type !== "NUMERIC")) return undefined;
  const plain = `sum(${a.distinct}${value.sql})${a.over}`;
  // DuckDB sums integers as HUGEINT.
  return typed(type === "INT64" ? `CAST(${plain} AS BIGINT)` : plain, type, a);
};

const average: Aggregate["make"] = (a) => {
  const value = one(a);
  if (!value || (value.type !== "INT64" && value.type !== "FLOAT64")) return undefined;
  return typed(`avg(${a.distinct}${value.sql})${a.over}`, "FLOAT64", a);
};

function extreme(name: "min" | "max"): Aggregate["make"] {
  return (a) => {
    const value = one(a);
    if (!value || value.type === "NULL" || !isOrderable(value.type)) return undefined;
    const plain = `${name}(${value.sql})${a.over}`;
    // The minimum of numbers that include NaN is NaN.
    const nan = value.type === "FLOAT64" && name === "min";
    return typed(
      nan ? `CASE WHEN bool_or(isnan(${value.sql}))${a.over} THEN CAST('nan' AS DOUBLE) ELSE ${plain} END` : plain,
      value.type,
      a,
    );
  };
}

const count: Aggregate["make"] = (a) => {
  if (a.call.star) return typed(`count(*)${a.over}`, "INT64", a);
  const value = one(a);
  if (!value) return undefined;
  if (a.distinct !== "" && !isOrderable(value.type)) return undefined;
  return typed(`count(${a.distinct}${value.sql})${a.over}`, "INT64", a);
};

function boolean(make: (sql: string, over: string) => string, result: SqlType): Aggregate["make"] {
  return (a) => {
    const value = one(a);
    const sql = value && coerce(value, "BOOL");
    return sql === undefined ? undefined : typed(make(sql, a.over), result, a);
  };
}

/** Returns the first elements of a list, up to the limit. */
function limited(list: string, a: Aggregation): string {
  if (!a.call.limit) return list;
  const limit = coerce(a.env.value(a.call.limit), "INT64");
  return limit === undefined ? list : `list_slice(${list}, 1, bq_limit(${limit}, 'LIMIT'))`;
}

const arrayAgg: Aggregate["make"] = (a) => {
  const value = one(a);
  if (!value || value.type === "NULL" || (typeof value.type !== "string" && value.type.kind === "ARRAY")) return undefined;
  const filter = a.call.nulls === "IGNORE" ? ` FILTER (WHERE ${value.sql} IS NOT NULL)` : "";
  return typed(limited(`list(${a.distinct}${value.sql}${a.order})${filter}${a.over}`, a), arrayOf(value.type), a);
};

const stringAgg: Aggregate["make"] = (a) => {
  const [value, delimiter] = a.values;
  const separator = delimiter ? coerce(delimiter, "STRING") : "','";
  if (value?.type !== "STRING" || separator === undefined || a.values.length > 2) return undefined;
  const list = `list(${a.distinct}${value.sql}${a.order}) FILTER (WHERE ${value.sql} IS NOT NULL)`;
  return typed(`array_to_string(${limited(list, a)}, ${separator})`, "STRING", a);
};

const anyValue: Aggregate["make"] = (a) => {
  const value = one(a);
  const { having } = a.call;
  if (value && having) return atExtreme(value, a.env.value(having.by), having.extreme, a);
  return value && typed(`any_value(${value.sql})${a.over}`, value.type, a);
};

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  COUNT: { allows: ["distinct", "over", "star"], make: count },
  COUNTIF: { allows: ["over"], make: boolean((sql, over) => `count(*) FILTER (WHERE ${sql})${over}`, "INT64") },
  SUM: { allows: ["distinct", "over"], make: sum },
  AVG: { allows: ["distinct", "over"], make: average },
  MIN: { allows: ["over"], make: extreme("min") },
  MAX: { allows: ["over"], make: extreme("max") },
  ANY_VALUE: { allows: ["having", "over"], make: anyValue },
  LOGICAL_AND: { allows: ["over"], make: boolean((sql, over) => `bool_and(${sql})${over}`, "BOOL") },
  LOGICAL_OR: { allows: ["over"], make: boolean((sql, over) => `bool_or(${sql})${over}`, "BOOL") },
  ARRAY_AGG: { allows: ["distinct", "nulls", "order", "limit"], make: arrayAgg },
  STRING_AGG: { allows: ["distinct", "order", "limit"], make: stringAgg },
  // Exact in the local warehouse: the exact count is also within the function's error bound.
  APPROX_COUNT_DISTINCT: { allows: [], make: (a) => count({ ...a, distinct: "DISTINCT " }) },
  ...STATISTICS,
};

export const AGGREGATE_NAMES: readonly string[] = Object.keys(AGGREGATES);

export function isAggregate(name: string): boolean {
  return Object.hasOwn(AGGREGATES, name);
}

function assertModifiers(call: Call, allows: Aggregate["allows"], env: Env): void {
  const used: readonly [Aggregate["allows"][number], boolean][] = [
    ["distinct", call.distinct],
    ["nulls", call.nulls !== undefined],
    ["order", call.orderBy.length > 0],
    ["limit", call.limit !== undefined],
    ["having", call.having !== undefined],
    ["over", call.over !== undefined],
    ["star", call.star],
  ];
  for (const [modifier, present] of used)
    if (present && !allows.includes(modifier))
      throw env.context.fail(call.at, `${call.name} with ${modifier.toUpperCase()} is not supported by the local BigQuery`);
  if (call.distinct && call.over)
    throw env.context.fail(call.at, `${call.name} with DISTINCT and OVER is not supported by the local BigQuery`);
}

/** Translates an aggregate function, in a group or over a window. */
export function aggregate(call: Call, env: Env): Value {
  const { context, scope } = env;
  const known = AGGREGATES[call.name];
  if (!known) throw unknownFunction(call.name, call.at, env);
  assertModifiers(call, known.allows, env);
  if (call.over && !env.windows) throw context.fail(call.at, `Analytic function ${call.name} not allowed in ${env.clause}`);
  if (!call.over && !env.aggregates)
    throw context.fail(
      call.at,
      scope.insideAggregate > 0
        ? "Aggregations of aggregations are not allowed"
        : `Aggregate function ${call.name} not allowed in ${env.clause}`,
    );
  const inside = env.with({ aggregates: call.over !== undefined && env.aggregates, windows: false });
  if (!call.over) scope.insideAggregate += 1;
  try {
    const values = call.args.map((arg) => inside.value(arg));
    const order = call.orderBy.length > 0 ? ` ORDER BY ${orderKeys(call.orderBy, inside)}` : "";
    if (call.distinct && order.includes("isnan("))
      throw context.fail(call.at, "DISTINCT with ORDER BY of FLOAT64 is not supported by the local BigQuery");
    const over = call.over ? overSql(call.over, inside) : "";
    const value = known.make({ call, env: inside, values, distinct: call.distinct ? "DISTINCT " : "", order, over });
    if (!value) throw noMatch(call, env, values);
    return value;
  } finally {
    if (!call.over) scope.insideAggregate -= 1;
  }
}
