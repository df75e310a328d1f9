import type { Expression, Select, SelectItem } from "../parse/ast.ts";
import type { Env } from "./env.ts";
import type { Scope } from "./scope.ts";
import type { Column, Value } from "./value.ts";

/** One column of a SELECT list before translation, with stars expanded. */
export interface Item {
  readonly name: string | undefined;
  readonly node: Expression | undefined;
  readonly value: (env: Env) => Value;
}

function impliedName(node: Expression): string | undefined {
  if (node.kind === "path") return node.names.at(-1);
  return node.kind === "field" ? node.name : undefined;
}

function starColumns(item: Extract<SelectItem, { kind: "star" }>, env: Env): readonly Column[] {
  const { scope, context } = env;
  if (!item.of) {
    if (scope.star.length === 0 && scope.variables.length === 0) throw context.fail(item.at, "SELECT * must have a FROM clause");
    return scope.star;
  }
  const [name = "", ...rest] = item.of.names;
  const variable = rest.length === 0 ? scope.variableNamed(name) : undefined;
  if (!variable) throw context.fail(item.at, `Dot-star is only supported on the name of a table in FROM: ${item.of.names.join(".")}`);
  return variable.columns;
}

function starItems(item: Extract<SelectItem, { kind: "star" }>, env: Env): Item[] {
  const columns = starColumns(item, env);
  const named = (name: string) => columns.some((column) => column.name.toLowerCase() === name.toLowerCase());
  for (const name of [...item.except, ...item.replace.map((replaced) => replaced.name)])
    if (!named(name)) throw env.context.fail(item.at, `Column ${name} in SELECT * EXCEPT or REPLACE list does not exist`);
  const excepted = new Set(item.except.map((name) => name.toLowerCase()));
  const replacements = new Map(item.replace.map(({ name, value }) => [name.toLowerCase(), value]));
  return columns
    .filter((column) => !excepted.has(column.name.toLowerCase()))
    .map((column): Item => {
      const replaced = replacements.get(column.name.toLowerCase());
      const name = column.name === "" ? undefined : column.name;
      if (replaced) return { name, node: replaced, value: (at) => at.value(replaced) };
      return { name, node: undefined, value: (at) => columnItem(column, at, item.at) };
    });
}

/** Returns a column of a star. In a grouped query it must be a key. */
function columnItem(column: Column, env: Env, at: number): Value {
  const { grouping } = env.scope;
  if (grouping && !grouping.keys.has(column.sql))
    throw env.context.fail(at, `Star expansion expression references column ${column.name} which is neither grouped nor aggregated`);
  env.context.touch(column);
  return { sql: column.sql, type: column.type, at, column };
}

/** Returns the columns of a SELECT list, in order. */
export function selectItems(select: Select, env: Env): readonly Item[] {
  return select.items.flatMap((item): Item[] => {
    if (item.kind === "star") return starItems(item, env);
    return [{ name: item.alias ?? impliedName(item.value), node: item.value, value: (at) => at.value(item.value) }];
  });
}

/** Returns the values of a list by their names, for the clauses that may use these. */
export function aliasesOf(items: readonly Item[], values: readonly Value[]): Scope["aliases"] {
  const aliases = new Map<string, Value[]>();
  for (const [index, { name }] of items.entries()) {
    const value = values[index];
    if (name === undefined || !value) continue;
    const key = name.toLowerCase();
    aliases.set(key, [...(aliases.get(key) ?? []), value]);
  }
  return aliases;
}
