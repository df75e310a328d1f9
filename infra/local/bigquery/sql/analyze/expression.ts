import { BigQueryError } from "../../model.ts";
import { intervalValue } from "../functions/date-part.ts";
import { extract } from "../functions/extract.ts";
import { callFunction } from "../functions/library.ts";
import type { Expression } from "../parse/ast.ts";
import { duckParameter } from "../positional.ts";
import { arrayOf, duckType, typeNamed, typeText } from "../sql-type.ts";
import { castValue } from "./cast.ts";
import { coerce } from "./coerce.ts";
import { arrayLiteral, structLiteral } from "./constructor.ts";
import type { Env } from "./env.ts";
import { extremeOfArray } from "./extreme-of-array.ts";
import { literalValue } from "./literal.ts";
import { fieldOf, resolvePath } from "./name.ts";
import {
  arithmetic,
  between,
  bitwise,
  compare,
  concatenate,
  condition,
  distinctFrom,
  inList,
  isOrderable,
  like,
  refuseNull,
  unify,
} from "./operators.ts";
import { semiJoin } from "./semi-join.ts";
import { arrayQuery, existsQuery, inQuery, scalarQuery } from "./subquery.ts";
import type { Value } from "./value.ts";

type Node<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

function path(node: Node<"path">, env: Env): Value {
  const value = resolvePath(node, env);
  if (value) return value;
  throw env.context.fail(node.at, `Unrecognized name: ${node.names[0]}`);
}

function parameter(node: Node<"parameter">, env: Env): Value {
  const { name, type } = env.context.parameter(node.name, node.at);
  return { sql: `CAST($${duckParameter(name)} AS ${duckType(type)})`, type, at: node.at, parameter: true };
}

function element(node: Node<"element">, env: Env): Value {
  const array = env.value(node.of);
  const index = coerce(env.value(node.index), "INT64");
  if (typeof array.type === "string" || array.type.kind !== "ARRAY" || index === undefined)
    throw env.context.fail(node.at, `Element access using [] is not supported on values of type ${typeText(array.type)}`);
  const safe = node.how.startsWith("SAFE") ? "safe_" : "";
  const from = node.how.endsWith("ORDINAL") ? ` - 1` : "";
  return { sql: `bq_${safe}element(${array.sql}, ${index}${from})`, type: array.type.element, at: node.at };
}

function unary(node: Node<"unary">, env: Env): Value {
  const of = env.value(node.of);
  refuseNull(env.context, node.operator, [of]);
  if (node.operator === "NOT") return { sql: `(NOT ${condition(env.context, of, "Operand of NOT")})`, type: "BOOL", at: node.at };
  const type = of.type === "NULL" ? "INT64" : of.type;
  if (node.operator === "~" && type === "INT64") return { sql: `(~${of.sql})`, type, at: node.at };
  if (node.operator === "~" && type === "BYTES") throw env.context.fail(node.at, "~ of BYTES is not supported by the local BigQuery");
  if (node.operator === "~" || (type !== "INT64" && type !== "FLOAT64" && type !== "NUMERIC"))
    throw env.context.fail(node.at, `No matching signature for operator ${node.operator} for argument types: ${typeText(type)}`);
  return { sql: node.operator === "-" ? `(-${of.sql})` : of.sql, type, at: node.at };
}

function binary(node: Node<"binary">, env: Env): Value {
  const { operator, at } = node;
  const left = env.value(node.left);
  const right = env.value(node.right);
  if (operator !== "AND" && operator !== "OR") refuseNull(env.context, operator, [left, right]);
  switch (operator) {
    case "AND":
    case "OR": {
      const [a, b] = [left, right].map((value) => condition(env.context, value, `Operand of ${operator}`));
      return { sql: `(${a} ${operator} ${b})`, type: "BOOL", at };
    }
    case "+":
    case "-":
    case "*":
    case "/":
      return arithmetic(env.context, operator, left, right, at);
    case "||":
      return concatenate(env.context, left, right, at);
    case "&":
    case "|":
    case "^":
    case "<<":
    case ">>":
      return bitwise(env.context, operator, left, right, at);
    case "LIKE":
    case "NOT LIKE":
      return like(env.context, left, right, { not: operator === "NOT LIKE", at });
    default:
      return compare(env.context, operator, left, right, at);
  }
}

function is(node: Node<"is">, env: Env): Value {
  const of = env.value(node.of);
  const sql = node.test === "NULL" ? of.sql : condition(env.context, of, `Operand of IS ${node.test}`);
  return { sql: `(${sql} IS ${node.not ? "NOT " : ""}${node.test})`, type: "BOOL", at: node.at };
}

function inUnnest(node: Node<"in-unnest">, env: Env): Value {
  const of = env.value(node.of);
  const array = env.value(node.array);
  const type = array.type === "NULL" ? arrayOf(of.type) : array.type;
  if (typeof type === "string" || type.kind !== "ARRAY")
    throw env.context.fail(node.at, `Second argument of IN UNNEST must be an array but was ${typeText(type)}`);
  const wanted = [type.element, of.type].find(
    (candidate) => coerce(of, candidate) !== undefined && coerce(array, arrayOf(candidate)) !== undefined,
  );
  const widened = wanted ?? (type.element === "INT64" && of.type === "FLOAT64" ? of.type : undefined);
  if (widened === undefined || !isOrderable(widened))
    throw env.context.fail(
      node.at,
      `No matching signature for operator IN UNNEST for argument types: ${typeText(of.type)}, ${typeText(type)}`,
    );
  const list = coerce(array, arrayOf(widened)) ?? `CAST(${array.sql} AS ${duckType(arrayOf(widened))})`;
  const value = coerce(of, widened) ?? of.sql;
  const plain = `${value} IN (SELECT unnest(${list}))${widened === "FLOAT64" ? ` AND NOT isnan(${value})` : ""}`;
  return { sql: node.not ? `(NOT (${plain}))` : `(${plain})`, type: "BOOL", at: node.at };
}

function caseWhen(node: Node<"case">, env: Env): Value {
  const { context } = env;
  const of = node.of && env.value(node.of);
  const tests = node.branches.map(({ when }) => {
    const value = env.value(when);
    return of ? compare(context, "=", of, value, node.at).sql : condition(context, value, "WHEN");
  });
  const results = node.branches.map(({ result }) => env.value(result));
  const otherwise: Value = node.otherwise ? env.value(node.otherwise) : { sql: "NULL", type: "NULL", at: node.at };
  const { type, sql } = unify(context, "CASE", [...results, otherwise], node.at);
  const branches = tests.map((test, index) => `WHEN ${test} THEN ${sql[index]}`).join(" ");
  return { sql: `CASE ${branches} ELSE ${sql.at(-1)} END`, type, at: node.at };
}

function cast(node: Node<"cast">, env: Env): Value {
  const type = typeNamed(node.type);
  if (type === undefined)
    throw env.context.fail(node.type.at, `Type not found: ${node.type.kind === "scalar" ? node.type.name : "in the cast"}`);
  return castValue(env.context, env.value(node.of), type, node.safe, node.at);
}

function subquery(node: Node<"subquery">, env: Env): Value {
  if (node.form === "exists")
    return (env.filters ? semiJoin(node.query, env, node.at) : undefined) ?? existsQuery(node.query, env, node.at);
  if (node.form === "array") return arrayQuery(node.query, env, node.at);
  return extremeOfArray(node.query, env, node.at) ?? scalarQuery(node.query, env, node.at);
}

function plain(node: Expression, env: Env): Value {
  const { context } = env;
  switch (node.kind) {
    case "literal":
      return literalValue(context, node);
    case "parameter":
      return parameter(node, env);
    case "path":
      return path(node, env);
    case "field":
      return fieldOf(env.value(node.of), node.name, env, node.at);
    case "element":
      return element(node, env);
    case "unary":
      return unary(node, env);
    case "binary":
      return binary(node, env);
    case "is":
      return is(node, env);
    case "distinct-from":
      return distinctFrom(context, env.value(node.left), env.value(node.right), node);
    case "between":
      return between(context, env.value(node.of), env.value(node.low), env.value(node.high), node);
    case "in-list":
      return inList(
        context,
        env.value(node.of),
        node.items.map((item) => env.value(item)),
        node,
      );
    case "in-unnest":
      return inUnnest(node, env);
    case "in-query":
      return inQuery(env.value(node.of), node.query, env, node);
    case "case":
      return caseWhen(node, env);
    case "cast":
      return cast(node, env);
    case "extract":
      return extract(node, env);
    case "call":
      return callFunction(node, env);
    case "interval":
      return intervalValue(node, env);
    case "array":
      return arrayLiteral(node, env);
    case "struct":
      return structLiteral(node, env);
    case "subquery":
      return subquery(node, env);
  }
}

/** Returns the value of an expression that is itself a GROUP BY key, such as `DATE(ts)`. Undefined if it is not a key. */
function groupingKey(node: Expression, env: Env): Value | undefined {
  const { scope, context } = env;
  const { grouping } = scope;
  if (!grouping || scope.insideAggregate > 0 || node.kind === "literal" || node.kind === "parameter") return undefined;
  scope.grouping = undefined;
  try {
    const value = context.forgettingReads(() => plain(node, env));
    return grouping.keys.has(value.sql) ? value : undefined;
  } catch (error) {
    if (error instanceof BigQueryError) return undefined;
    throw error;
  } finally {
    scope.grouping = grouping;
  }
}

/** Whether it matters to an expression that null counts as false: to EXISTS itself, and to what AND and OR join. */
function keepsFilter(node: Expression): boolean {
  return node.kind === "subquery" || (node.kind === "binary" && (node.operator === "AND" || node.operator === "OR"));
}

/** Translates a GoogleSQL expression to a typed DuckDB one. Throws a BigQueryError if it is invalid or not supported. */
export function evaluate(node: Expression, env: Env): Value {
  const inside = env.filters && !keepsFilter(node) ? env.with({ filters: false }) : env;
  return (env.scope.grouping ? groupingKey(node, inside) : undefined) ?? plain(node, inside);
}
