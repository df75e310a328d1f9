import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import { isOrderable } from "../analyze/operators.ts";
import { overSql, wholeWindow } from "../analyze/ordering.ts";
import type { Value } from "../analyze/value.ts";
import type { Call, Window } from "../parse/ast.ts";
import { noMatch } from "./signature.ts";
import { unknownFunction } from "./unknown.ts";

/** A function that exists only with OVER. */
interface Analytic {
  readonly order: "required" | "optional" | "forbidden";
  readonly frame: boolean;
  /** Whether IGNORE NULLS and RESPECT NULLS are allowed. */
  readonly nulls: boolean;
  readonly make: (call: Call, env: Env, over: string) => Value | undefined;
}

function numbering(sql: string, type: "INT64" | "FLOAT64", order: Analytic["order"] = "required"): Analytic {
  const make: Analytic["make"] = (call, _env, over) => (call.args.length > 0 ? undefined : { sql: `${sql}${over}`, type, at: call.at });
  return { order, frame: false, nulls: false, make };
}

/** Returns a non-negative or positive number that is a literal or a parameter, as DuckDB SQL. Undefined if the argument is none. */
function constantNumber(value: Value | undefined, least: 0 | 1, message: string): string | undefined {
  const sql = value && (value.literal || value.parameter) && value.type !== "NULL" ? coerce(value, "INT64") : undefined;
  return sql === undefined ? undefined : `bq_at_least(${sql}, ${least}, '${message}')`;
}

const ntile: Analytic["make"] = (call, env, over) => {
  const [buckets, ...others] = call.args.map((arg) => env.value(arg));
  const sql = constantNumber(buckets, 1, "The N value (number of buckets) for the NTILE function must be positive");
  return sql === undefined || others.length > 0 ? undefined : { sql: `ntile(${sql})${over}`, type: "INT64", at: call.at };
};

/** LAG and LEAD: the value of another row, or the default if there is no such row. */
function offset(name: "lag" | "lead"): Analytic {
  const make: Analytic["make"] = (call, env, over) => {
    const [value, distance, otherwise, ...others] = call.args.map((arg) => env.value(arg));
    if (!value || others.length > 0) return undefined;
    const rows = distance ? constantNumber(distance, 0, `The offset to the function ${call.name} must not be negative`) : "1";
    const type = value.type === "NULL" ? "INT64" : value.type;
    const fallback = otherwise ? coerce(otherwise, type) : undefined;
    const isConstant = !otherwise || otherwise.literal !== undefined || otherwise.parameter === true || otherwise.type === "NULL";
    if (rows === undefined || (otherwise && fallback === undefined) || !isConstant) return undefined;
    return { sql: `${name}(${value.sql}, ${rows}${fallback === undefined ? "" : `, ${fallback}`})${over}`, type, at: call.at };
  };
  return { order: "required", frame: false, nulls: false, make };
}

function ofFrame(name: string, arity: 1 | 2): Analytic {
  const make: Analytic["make"] = (call, env, over) => {
    const [value, nth] = call.args.map((arg) => env.value(arg));
    const position = arity === 2 ? constantNumber(nth, 1, `The N value for the ${call.name} function must be positive`) : "";
    if (!value || position === undefined || call.args.length !== arity) return undefined;
    const nulls = call.nulls === "IGNORE" ? " IGNORE NULLS" : "";
    const type = value.type === "NULL" ? "INT64" : value.type;
    return { sql: `${name}(${value.sql}${position === "" ? "" : `, ${position}`}${nulls})${over}`, type, at: call.at };
  };
  return { order: "required", frame: true, nulls: true, make };
}

/** Returns the percentile's share, a literal or a parameter from 0 to 1, as DuckDB SQL. Undefined if it is neither. */
function share(value: Value | undefined, call: Call, env: Env): string | undefined {
  const number = value?.parameter ? coerce(value, "FLOAT64") : undefined;
  // DuckDB takes a constant only, which `error` is not. A negative one would count from the end; of 2 it says what `asBigQueryError` knows.
  if (number !== undefined) return `CASE WHEN ${number} BETWEEN 0 AND 1 THEN ${number} ELSE 2e0 END`;
  const text = value?.literal && coerce(value, "FLOAT64") !== undefined ? value.literal.text : undefined;
  if (text !== undefined && !(Number(text) >= 0 && Number(text) <= 1))
    throw env.context.fail(call.at, `The second argument to the function ${call.name} must be between 0 and 1`);
  return text;
}

/** PERCENTILE_CONT and PERCENTILE_DISC over a whole partition. Nulls are ignored. */
function percentile(name: "quantile_cont" | "quantile_disc"): Analytic {
  const make: Analytic["make"] = (call, env, over) => {
    const [value, second, ...others] = call.args.map((arg) => env.value(arg));
    const at = share(second, call, env);
    if (call.nulls === "RESPECT") throw env.context.fail(call.at, `${call.name} with RESPECT NULLS is not supported by the local BigQuery`);
    if (!value || at === undefined || others.length > 0 || value.type === "NULL" || !isOrderable(value.type)) return undefined;
    if (name === "quantile_disc") {
      if (value.type === "FLOAT64") return { sql: `${name}(bq_no_nan(${value.sql}), ${at})${over}`, type: value.type, at: call.at };
      return { sql: `${name}(${value.sql}, ${at})${over}`, type: value.type, at: call.at };
    }
    const number = value.type === "INT64" || value.type === "FLOAT64" ? coerce(value, "FLOAT64") : undefined;
    return number === undefined ? undefined : { sql: `${name}(bq_no_nan(${number}), ${at})${over}`, type: "FLOAT64", at: call.at };
  };
  return { order: "forbidden", frame: false, nulls: true, make };
}

const ANALYTIC: Readonly<Record<string, Analytic>> = {
  ROW_NUMBER: numbering("row_number()", "INT64", "optional"),
  RANK: numbering("rank()", "INT64"),
  DENSE_RANK: numbering("dense_rank()", "INT64"),
  PERCENT_RANK: numbering("percent_rank()", "FLOAT64"),
  CUME_DIST: numbering("cume_dist()", "FLOAT64"),
  NTILE: { order: "required", frame: false, nulls: false, make: ntile },
  LAG: offset("lag"),
  LEAD: offset("lead"),
  FIRST_VALUE: ofFrame("first_value", 1),
  LAST_VALUE: ofFrame("last_value", 1),
  NTH_VALUE: ofFrame("nth_value", 2),
  PERCENTILE_CONT: percentile("quantile_cont"),
  PERCENTILE_DISC: percentile("quantile_disc"),
};

export const ANALYTIC_NAMES: readonly string[] = Object.keys(ANALYTIC);

export function isAnalytic(name: string): boolean {
  return Object.hasOwn(ANALYTIC, name);
}

function assertWindow(call: Call, window: Window, { order, frame }: Analytic, env: Env): void {
  const { context } = env;
  if (window.frame && !frame) throw context.fail(call.at, `Window framing clause is not allowed for analytic function ${call.name}`);
  if (order === "required" && window.orderBy.length === 0)
    throw context.fail(call.at, `Window ORDER BY is required for analytic function ${call.name}`);
  if (order === "forbidden" && window.orderBy.length > 0)
    throw context.fail(call.at, `Window ORDER BY is not allowed for analytic function ${call.name}`);
}

/** Translates a function that needs OVER: numbering, navigation and percentiles. */
export function analytic(call: Call, env: Env): Value {
  const { context } = env;
  const known = ANALYTIC[call.name];
  if (!known) throw unknownFunction(call.name, call.at, env);
  if (!call.over) throw context.fail(call.at, `Analytic function ${call.name} cannot be called without an OVER clause`);
  if (!env.windows) throw context.fail(call.at, `Analytic function ${call.name} not allowed in ${env.clause}`);
  const plain = !call.star && !call.distinct && !call.limit && !call.having && call.orderBy.length === 0 && (!call.nulls || known.nulls);
  if (!plain)
    throw context.fail(call.at, `${call.name} takes only plain arguments${known.nulls ? " and IGNORE NULLS or RESPECT NULLS" : ""}`);
  assertWindow(call, wholeWindow(call.over, env), known, env);
  const inside = env.with({ windows: false });
  const value = known.make(call, inside, overSql(call.over, env));
  if (value) return value;
  throw noMatch(
    call,
    env,
    call.args.map((arg) => inside.value(arg)),
  );
}
