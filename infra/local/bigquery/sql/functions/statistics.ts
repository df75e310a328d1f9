import { coerce } from "../analyze/coerce.ts";
import { isOrderable } from "../analyze/operators.ts";
import type { Value } from "../analyze/value.ts";
import { arrayOf, type SqlType } from "../sql-type.ts";
import { type Aggregate, type Aggregation, one, typed } from "./aggregation.ts";

function number(value: Value | undefined): string | undefined {
  return value && (value.type === "INT64" || value.type === "FLOAT64") ? coerce(value, "FLOAT64") : undefined;
}

/** Spread of one column. NUMERIC is not supported: its result would be exact. */
function spread(name: string): Aggregate {
  const make: Aggregate["make"] = (a) => {
    const sql = number(one(a));
    return sql === undefined ? undefined : typed(`${name}(${a.distinct}${sql})${a.over}`, "FLOAT64", a);
  };
  return { allows: ["distinct", "over"], make };
}

/** A statistic of two columns. Rows with a null are left out. */
function ofPair(name: string): Aggregate {
  const make: Aggregate["make"] = (a) => {
    const [x, y] = a.values.map(number);
    return x === undefined || y === undefined || a.values.length > 2 ? undefined : typed(`${name}(${x}, ${y})${a.over}`, "FLOAT64", a);
  };
  return { allows: ["over"], make };
}

/** Returns the value of the row with the greatest or smallest `by`. Rows without `by` do not count. The smallest number is NaN. */
export function atExtreme(value: Value, by: Value, extreme: "MAX" | "MIN", a: Aggregation): Value | undefined {
  if (by.type === "NULL" || !isOrderable(by.type)) return undefined;
  const key = by.type === "FLOAT64" && extreme === "MIN" ? `bq_nan_first(${by.sql})` : by.sql;
  const type = value.type === "NULL" ? "INT64" : value.type;
  return typed(`${extreme === "MAX" ? "arg_max_null" : "arg_min_null"}(${value.sql}, ${key})${a.over}`, type, a);
}

function by(extreme: "MAX" | "MIN"): Aggregate {
  const make: Aggregate["make"] = (a) => {
    const [value, key, ...others] = a.values;
    return value && key && others.length === 0 ? atExtreme(value, key, extreme, a) : undefined;
  };
  return { allows: [], make };
}

/** APPROX_QUANTILES. Exact here, which is also within the function's error bound. */
const quantiles: Aggregate["make"] = (a) => {
  const [value, count, ...others] = a.values;
  const number = count && (count.literal || count.parameter) ? coerce(count, "INT64") : undefined;
  if (!value || number === undefined || others.length > 0 || value.type === "NULL" || !isOrderable(value.type)) return undefined;
  const plain = value.type === "FLOAT64" ? `bq_no_nan(${value.sql})` : value.sql;
  const filter = a.call.nulls === "RESPECT" ? "" : ` FILTER (WHERE ${value.sql} IS NOT NULL)`;
  const list = `list(${a.distinct}${plain} ORDER BY ${plain} ASC NULLS FIRST)${filter}`;
  return typed(
    `bq_quantiles(${list}, bq_at_least(${number}, 1, 'The number of APPROX_QUANTILES must be positive'))`,
    arrayOf(value.type),
    a,
  );
};

function bitwise(name: string): Aggregate {
  const make: Aggregate["make"] = (a) => {
    const value = one(a);
    return value?.type === "INT64" ? typed(`${name}(${a.distinct}${value.sql})`, "INT64", a) : undefined;
  };
  return { allows: ["distinct"], make };
}

const concatenated: Aggregate["make"] = (a) => {
  const value = one(a);
  const isArray = value && typeof value.type !== "string" && value.type.kind === "ARRAY";
  if (!value || !isArray) return undefined;
  const type: SqlType = value.type;
  return typed(`flatten(list(${value.sql}${a.order}) FILTER (WHERE ${value.sql} IS NOT NULL))`, type, a);
};

export const STATISTICS: Readonly<Record<string, Aggregate>> = {
  STDDEV: spread("stddev_samp"),
  STDDEV_SAMP: spread("stddev_samp"),
  STDDEV_POP: spread("stddev_pop"),
  VARIANCE: spread("var_samp"),
  VAR_SAMP: spread("var_samp"),
  VAR_POP: spread("var_pop"),
  CORR: ofPair("corr"),
  COVAR_POP: ofPair("covar_pop"),
  COVAR_SAMP: ofPair("covar_samp"),
  MAX_BY: by("MAX"),
  MIN_BY: by("MIN"),
  APPROX_QUANTILES: { allows: ["distinct", "nulls"], make: quantiles },
  BIT_AND: bitwise("bit_and"),
  BIT_OR: bitwise("bit_or"),
  BIT_XOR: bitwise("bit_xor"),
  ARRAY_CONCAT_AGG: { allows: ["order"], make: concatenated },
};
