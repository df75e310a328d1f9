import { condition, isOrderable, unify } from "../analyze/operators.ts";
import { type Implementation, type Library, noMatch } from "./signature.ts";

const ifElse: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  const [test, ...results] = values;
  if (!test || results.length !== 2) throw noMatch(call, env, values);
  const { type, sql } = unify(env.context, "IF", results, call.at);
  return { sql: `CASE WHEN ${condition(env.context, test, "IF")} THEN ${sql[0]} ELSE ${sql[1]} END`, type, at: call.at };
};

const coalesce: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  if (values.length === 0 || (call.name === "IFNULL" && values.length !== 2)) throw noMatch(call, env, values);
  const { type, sql } = unify(env.context, call.name, values, call.at);
  return { sql: `coalesce(${sql.join(", ")})`, type, at: call.at };
};

const nullIf: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  if (values.length !== 2) throw noMatch(call, env, values);
  const { type, sql } = unify(env.context, call.name, values, call.at);
  if (!isOrderable(type)) throw noMatch(call, env, values);
  const nan = type === "FLOAT64" ? ` AND NOT isnan(${sql[0]})` : "";
  return { sql: `CASE WHEN ${sql[0]} = ${sql[1]}${nan} THEN NULL ELSE ${sql[0]} END`, type, at: call.at };
};

/** GROUPING(key): 1 where the row is of a set without the key, whose null stands for all values. */
const grouping: Implementation = (call, env) => {
  const values = call.args.map((arg) => env.value(arg));
  const [key, ...others] = values;
  if (!key || others.length > 0) throw noMatch(call, env, values);
  if (!env.scope.grouping?.keys.has(key.sql))
    throw env.context.fail(call.at, "GROUPING must have an argument that exists within the group-by expression list");
  return { sql: `CAST(grouping(${key.sql}) AS BIGINT)`, type: "INT64", at: call.at };
};

export const CONDITIONAL: Library = { GROUPING: grouping, IF: ifElse, COALESCE: coalesce, IFNULL: coalesce, NULLIF: nullIf };
