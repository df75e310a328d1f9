import type { FromItem } from "../parse/ast.ts";
import { parseViewQuery } from "../parse/script.ts";
import { quoteName, typeOfField, typeText } from "../sql-type.ts";
import type { Cte } from "./env.ts";
import { informationSchemaView } from "./information-schema.ts";
import { condition, unify } from "./operators.ts";
import { prune } from "./partition.ts";
import { plainEnv } from "./plain-env.ts";
import { translateQuery } from "./query.ts";
import { columnsUnder, type Place, type Relation } from "./relation.ts";
import { type RangeVariable, Scope } from "./scope.ts";
import type { Column, Read } from "./value.ts";

/** A translated FROM: its DuckDB SQL and the names that it defines. */
export interface From {
  readonly sql: string;
  readonly variables: readonly RangeVariable[];
  readonly star: readonly Column[];
  /** Whether it is one array, which a join needs no condition for. */
  readonly isArray?: boolean;
}

/** An absent FROM. */
export const NOTHING: From = { sql: "", variables: [], star: [] };

function derived(relation: Relation, name: string | undefined, place: Place, sql = `(${relation.sql})`): From {
  const alias = place.context.alias();
  const columns = columnsUnder(alias, relation);
  return { sql: `${sql} AS ${alias}`, variables: [{ name, columns }], star: columns };
}

/** Returns a base table under an alias and records its read. */
export function baseTable(
  path: readonly string[],
  name: string | undefined,
  place: Place,
): From & { readonly read: Read; readonly alias: string } {
  const { context } = place;
  const info = context.table(path);
  const alias = context.alias();
  const read = context.read(info);
  const columns = info.fields.map((field): Column => {
    const origins = info.partitioning?.column.toLowerCase() === field.name.toLowerCase() ? [read] : [];
    const sql = `${alias}.${quoteName(field.name)}`;
    return { name: field.name, sql, type: typeOfField(field), base: { read, column: field.name }, uses: [], origins };
  });
  const { dataset, table } = info.ref;
  const rows = info.source?.sql ?? `${quoteName(dataset)}.${quoteName(table)}`;
  return { sql: `${rows} AS ${alias}`, variables: [{ name, columns }], star: columns, read, alias };
}

function view(path: readonly string[], name: string | undefined, place: Place): From {
  const info = place.context.table(path);
  const context = place.context.insideView(info);
  const query = parseViewQuery(info.view ?? "");
  return derived(translateQuery(query, { context, ctes: new Map(), parent: undefined }), name, place);
}

/** The translations of CTEs whose references need no reads of their own. */
const translations = new WeakMap<Cte, Relation>();

/** Whether a name is that of a table or a subquery to the left, or around. A path that begins with it is of an array, which needs no UNNEST. */
function isVariable(name: string, scope: Scope): boolean {
  return scope.variableNamed(name) !== undefined || (scope.parent !== undefined && isVariable(name, scope.parent));
}

function table(item: Extract<FromItem, { kind: "table" }>, place: Place, left: From): From {
  const [first = ""] = item.path;
  const name = item.alias ?? item.path.at(-1);
  const cte = item.path.length === 1 ? place.ctes.get(first.toLowerCase()) : undefined;
  if (cte) {
    const relation = translations.get(cte) ?? translateQuery(cte.query, { context: place.context, ctes: cte.env, parent: undefined });
    cte.sql ??= relation.sql;
    // Each reference is translated anew if a condition on it could prune partitions: another reference then reads others. Without the
    // sharing, a chain of n CTEs that refer to the one before twice would be translated 2^n times.
    if (place.context.marksReads && relation.columns.every(({ origins }) => origins.length === 0)) translations.set(cte, relation);
    return derived(relation, name, place, cte.alias);
  }
  if (item.path.length > 1 && isVariable(first, new Scope(left.variables, left.star, place.parent))) {
    const array = { kind: "path", names: item.path, at: item.at } as const;
    return unnest({ kind: "unnest", array, alias: name, offset: item.offset, at: item.at }, place, left);
  }
  if (item.offset !== undefined) throw place.context.fail(item.at, "WITH OFFSET clause is not allowed on a table");
  const information = informationSchemaView(item.path, place.context);
  if (information !== undefined) return derived(information, name, place);
  return place.context.table(item.path).view === undefined ? baseTable(item.path, name, place) : view(item.path, name, place);
}

/** Translates UNNEST, which sees the items to its left. An array of structs also exposes its fields. */
function unnest(item: Extract<FromItem, { kind: "unnest" }>, place: Place, left: From): From {
  const { context } = place;
  const alias = context.alias();
  const env = plainEnv(context, new Scope(left.variables, left.star, place.parent), place.ctes, "FROM clause");
  const array = env.value(item.array);
  if (typeof array.type === "string" || array.type.kind !== "ARRAY")
    throw context.fail(item.at, `Values referenced in UNNEST must be arrays. UNNEST contains expression of type ${typeText(array.type)}`);
  const { element: type } = array.type;
  const element: Column = { name: item.alias ?? "", sql: `${alias}."v"`, type, uses: [], origins: [] };
  const isStruct = typeof type !== "string" && type.kind === "STRUCT";
  const fields = isStruct
    ? type.fields.map((field, index): Column => {
        const name = field.name ?? `_field_${index + 1}`;
        return { name, sql: `(${element.sql}).${quoteName(name)}`, type: field.type, uses: [], origins: [] };
      })
    : [element];
  const offset: Column[] =
    item.offset === undefined ? [] : [{ name: item.offset, sql: `${alias}."o"`, type: "INT64", uses: [], origins: [] }];
  const lateral = left.sql === "" ? "" : "LATERAL ";
  const rows =
    offset.length === 0
      ? // In a table function DuckDB binds the parameters of lambdas as texts.
        `${lateral}(SELECT unnest(${array.sql}) AS "v") AS ${alias}`
      : `${lateral}(SELECT unnest(a."l") AS "v", generate_subscripts(a."l", 1) - 1 AS "o" FROM (SELECT ${array.sql} AS "l") AS a) AS ${alias}`;
  return {
    sql: rows,
    variables: [{ name: item.alias, columns: fields, element }],
    star: [...fields, ...offset],
    isArray: true,
  };
}

/** Returns the columns that USING merges: the left one stands for both. */
function usingColumns(item: Extract<FromItem, { kind: "join" }>, left: From, right: From, place: Place): { star: Column[]; on: string } {
  const { context } = place;
  const merged: Column[] = [];
  const hidden = new Set<Column>();
  const tests = item.using.map((name) => {
    const sides = [left, right].map((side) => {
      const matches = new Scope([], side.star, undefined).columnsNamed(name);
      const [column] = matches;
      if (!column || matches.length > 1)
        throw context.fail(item.at, `Column ${name} in USING clause ${column ? "is ambiguous" : "not found"} on one side of join`);
      context.touch(column);
      hidden.add(column);
      return column;
    });
    const [a, b] = sides;
    const { type, sql } = unify(
      context,
      "USING",
      sides.map((column) => ({ sql: column.sql, type: column.type, at: item.at })),
      item.at,
    );
    // Where one side has no row, the other's value stands for both.
    const kept = item.type === "RIGHT" ? b : a;
    if (a && b && kept) merged.push(item.type === "FULL" ? { ...fromBoth(a, b), sql: `coalesce(${sql.join(", ")})`, type } : kept);
    return `${sql[0]} = ${sql[1]}`;
  });
  return {
    star: [...merged, ...left.star.filter((column) => !hidden.has(column)), ...right.star.filter((column) => !hidden.has(column))],
    on: tests.join(" AND "),
  };
}

function fromBoth(left: Column, right: Column): Omit<Column, "sql" | "type"> {
  return { name: left.name, uses: [left, right], origins: [] };
}

function join(item: Extract<FromItem, { kind: "join" }>, place: Place, outer: From): From {
  const { context } = place;
  const { result: left, reads: leftReads } = context.readsOf(() => translateFrom(item.left, place, outer));
  const isOuterRight = item.type === "RIGHT" || item.type === "FULL";
  const { result: right, reads } = context.readsOf(() => translateFrom(item.right, place, left));
  if (isOuterRight && right.isArray) throw context.fail(item.at, `${item.type} JOIN with UNNEST is not supported by the local BigQuery`);
  const optional = (variables: readonly RangeVariable[]) => variables.map((variable) => ({ ...variable, isOptional: true }));
  const isOuterLeft = item.type === "LEFT" || item.type === "FULL";
  const variables = [
    ...(isOuterRight ? optional(left.variables) : left.variables),
    ...(isOuterLeft ? optional(right.variables) : right.variables),
  ];
  const names = variables.map((variable) => variable.name?.toLowerCase()).filter((name) => name !== undefined);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw context.fail(item.at, `Duplicate table alias ${duplicate} in the same FROM clause`);
  const text = item.right.kind === "join" ? `(${right.sql})` : right.sql;
  const star = [...left.star, ...right.star];
  if (item.using.length > 0) {
    const using = usingColumns(item, left, right, place);
    return { sql: `${left.sql} ${item.type} JOIN ${text} ON ${using.on}`, variables, star: using.star };
  }
  if (item.type === "CROSS") return { sql: `${left.sql} CROSS JOIN ${text}`, variables, star };
  if (!item.on && !right.isArray) throw context.fail(item.at, `${item.type} JOIN must have an immediately following ON or USING clause`);
  const env = plainEnv(context, new Scope(variables, star, place.parent), place.ctes, "ON clause");
  const on = item.on ? condition(context, env.value(item.on), "JOIN ON clause") : "TRUE";
  const prunes = {
    INNER: () => true,
    LEFT: (read: Read) => reads.has(read),
    RIGHT: (read: Read) => leftReads.has(read),
    FULL: () => false,
  };
  if (item.on) prune(item.on, env, prunes[item.type]);
  return { sql: `${left.sql} ${item.type} JOIN ${text} ON ${on}`, variables, star };
}

/** Translates a FROM clause. `left` is what precedes an item, visible to an UNNEST. */
export function translateFrom(item: FromItem, place: Place, left: From): From {
  const outside: Place = { context: place.context, ctes: place.ctes, parent: place.parent };
  switch (item.kind) {
    case "table":
      return table(item, outside, left);
    case "query":
      return derived(translateQuery(item.query, outside), item.alias, outside);
    case "unnest":
      return unnest(item, outside, left);
    case "join":
      return join(item, outside, left);
  }
}
