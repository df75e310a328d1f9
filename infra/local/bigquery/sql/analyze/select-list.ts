import type { Expression, Path, Select, SelectItem } from "../parse/ast.ts";
import type { Env } from "./env.ts";
import { fieldAt, resolvePath } from "./name.ts";
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

/** One column that a star stands for. */
interface StarColumn {
  readonly name: string | undefined;
  readonly value: (env: Env) => Value;
}

function ofColumns(columns: readonly Column[], at: number): readonly StarColumn[] {
  return columns.map((column) => ({ name: column.name === "" ? undefined : column.name, value: (env) => columnItem(column, env, at) }));
}

/** The fields of the struct that a path names, or undefined if it names no struct. */
function ofStruct(path: Path, env: Env): readonly StarColumn[] | undefined {
  // Only its type is wanted here: it is read where the fields are.
  const type = env.context.forgettingReads(() => resolvePath(path, env))?.type;
  if (type === undefined || typeof type === "string" || type.kind === "ARRAY") return undefined;
  return type.fields.map((field, index) => ({ name: field.name, value: (at) => fieldAt(at.value(path), index, path.at) }));
}

function starColumns(item: Extract<SelectItem, { kind: "star" }>, env: Env): readonly StarColumn[] {
  const { scope, context } = env;
  if (!item.of) {
    if (scope.star.length === 0 && scope.variables.length === 0) throw context.fail(item.at, "SELECT * must have a FROM clause");
    return ofColumns(scope.star, item.at);
  }
  const [name = "", ...rest] = item.of.names;
  const variable = rest.length === 0 ? scope.variableNamed(name) : undefined;
  if (variable) return ofColumns(variable.columns, item.at);
  const fields = ofStruct(item.of, env);
  if (fields) return fields;
  throw context.fail(item.at, `Dot-star is not supported for ${item.of.names.join(".")}, which is neither a table in FROM nor a STRUCT`);
}

function starItems(item: Extract<SelectItem, { kind: "star" }>, env: Env): Item[] {
  const columns = starColumns(item, env);
  const named = (name: string) => columns.some((column) => column.name?.toLowerCase() === name.toLowerCase());
  for (const name of [...item.except, ...item.replace.map((replaced) => replaced.name)])
    if (!named(name)) throw env.context.fail(item.at, `Column ${name} in SELECT * EXCEPT or REPLACE list does not exist`);
  const excepted = new Set(item.except.map((name) => name.toLowerCase()));
  const replacements = new Map(item.replace.map(({ name, value }) => [name.toLowerCase(), value]));
  return columns
    .filter(({ name = "" }) => !excepted.has(name.toLowerCase()))
    .map(({ name, value }): Item => {
      const replaced = replacements.get(name?.toLowerCase() ?? "");
      return replaced ? { name, node: replaced, value: (at) => at.value(replaced) } : { name, node: undefined, value };
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
