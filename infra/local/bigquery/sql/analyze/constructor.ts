import type { Expression } from "../parse/ast.ts";
import { arrayOf, duckType, fieldName, type SqlType, type StructField, typeNamed, typeText } from "../sql-type.ts";
import { coerce, structSql } from "./coerce.ts";
import type { Env } from "./env.ts";
import { unify } from "./operators.ts";
import type { Value } from "./value.ts";

type Node<Kind extends Expression["kind"]> = Extract<Expression, { kind: Kind }>;

/** The type of `[]`, which coerces to any array. */
const EMPTY_ARRAY: SqlType = arrayOf("INT64");

/** Translates `[…]` and `ARRAY<…>[…]`. Throws for nested arrays and for elements without a common type. */
export function arrayLiteral(node: Node<"array">, env: Env): Value {
  const parts = node.items.map((item) => env.value(item));
  const declared = node.element && typeNamed(node.element);
  if (node.element && !declared) throw env.context.fail(node.at, "Type not found");
  if (parts.some((part) => typeof part.type !== "string" && part.type.kind === "ARRAY"))
    throw env.context.fail(node.at, "Cannot construct array with element type ARRAY because nested arrays are not supported");
  if (parts.length === 0 && !declared) return { sql: "CAST([] AS BIGINT[])", type: EMPTY_ARRAY, at: node.at, parts };
  const element = declared ?? unify(env.context, "ARRAY", parts, node.at).type;
  const whole: Value = { sql: "", type: EMPTY_ARRAY, at: node.at, parts };
  const type = arrayOf(element);
  const items = parts.map((part) => coerce(part, element));
  if (items.some((item) => item === undefined))
    throw env.context.fail(node.at, `Array element type does not coerce to ${typeText(element)}`);
  const sql = parts.length === 0 ? `CAST([] AS ${duckType(type)})` : `[${items.join(", ")}]`;
  return declared ? { sql, type, at: node.at } : { ...whole, sql, type };
}

/** Translates `STRUCT(…)` and `STRUCT<…>(…)`. Throws for a struct without fields. */
export function structLiteral(node: Node<"struct">, env: Env): Value {
  const parts = node.items.map((item) => env.value(item.value));
  const declared = node.type && typeNamed(node.type);
  if (node.type && !declared) throw env.context.fail(node.at, "Type not found");
  const implied = (item: Node<"struct">["items"][number]) =>
    node.tuple
      ? undefined
      : (item.name ?? (item.value.kind === "path" ? item.value.names.at(-1) : item.value.kind === "field" ? item.value.name : undefined));
  const fields: StructField[] = node.items.map((item, index) => ({
    name: implied(item),
    type: nullAsInteger(parts[index]?.type ?? "NULL"),
  }));
  const type: SqlType = { kind: "STRUCT", fields };
  const sql = structSql(
    fields.map((field, index) => ({ name: fieldName(field, index), sql: coerce(parts[index] ?? nothing(node.at), field.type) ?? "NULL" })),
  );
  const value: Value = { sql, type, at: node.at, parts };
  if (fields.length === 0) throw env.context.fail(node.at, "An empty STRUCT is not supported by the local BigQuery");
  if (!declared) return value;
  const typed = coerce(value, declared);
  if (typed === undefined) throw env.context.fail(node.at, `Struct of type ${typeText(type)} does not coerce to ${typeText(declared)}`);
  return { sql: typed, type: declared, at: node.at };
}

function nothing(at: number): Value {
  return { sql: "NULL", type: "NULL", at };
}

function nullAsInteger(type: SqlType): SqlType {
  return type === "NULL" ? "INT64" : type;
}
