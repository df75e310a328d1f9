import type { Path } from "../parse/ast.ts";
import { fieldName, quoteName, typeText } from "../sql-type.ts";
import { structSql } from "./coerce.ts";
import type { Env } from "./env.ts";
import type { RangeVariable, Scope } from "./scope.ts";
import type { Column, Value } from "./value.ts";

interface Found {
  readonly value: Value;
  /** How many names of the path were consumed. */
  readonly taken: number;
}

function columnValue(column: Column, scope: Scope, env: Env, at: number): Value {
  const grouping = scope.insideAggregate > 0 ? undefined : scope.grouping;
  if (grouping && !grouping.keys.has(column.sql))
    throw env.context.fail(at, `${env.clause} expression references column ${column.name} which is neither grouped nor aggregated`);
  env.context.touch(column);
  return { sql: env.rename?.(column) ?? column.sql, type: column.type, at, column };
}

function columnOf(variable: RangeVariable, path: Path, scope: Scope, env: Env): Found {
  const [name = "", wanted = ""] = path.names;
  const matches = variable.columns.filter((column) => column.name.toLowerCase() === wanted.toLowerCase());
  const [column] = matches;
  if (!column) throw env.context.fail(path.at, `Name ${wanted} not found inside ${name}`);
  if (matches.length > 1) throw env.context.fail(path.at, `Column name ${wanted} is ambiguous`);
  return { value: columnValue(column, scope, env, path.at), taken: 2 };
}

/** The row of a table as a value: a struct of its columns. */
function rowValue({ name, columns, isOptional }: RangeVariable, scope: Scope, env: Env, at: number): Value {
  const unsupported = (why: string) => env.context.fail(at, `The row of ${name} as a value ${why} is not supported by the local BigQuery`);
  // The row is null where the join found none, which the columns do not tell.
  if (isOptional) throw unsupported("after an outer join");
  const fields = columns.map((column) => ({ name: column.name === "" ? undefined : column.name, type: column.type }));
  const names = fields.map((field, index) => fieldName(field, index).toLowerCase());
  if (new Set(names).size < names.length) throw unsupported("with two columns of one name");
  const sql = structSql(
    columns.map((column, index) => ({
      name: fieldName(fields[index] ?? { name: undefined, type: column.type }, index),
      sql: columnValue(column, scope, env, at).sql,
    })),
  );
  return { sql, type: { kind: "STRUCT", fields }, at };
}

function alias(path: Path, scope: Scope, env: Env): Found | undefined {
  const values = env.aliases && scope === env.scope ? scope.aliases.get((path.names[0] ?? "").toLowerCase()) : undefined;
  const [value] = values ?? [];
  if (!value) return undefined;
  if (values?.some((other) => other.sql !== value.sql)) throw env.context.fail(path.at, `Name ${path.names[0]} is ambiguous`);
  return { value: { ...value, at: path.at }, taken: 1 };
}

function inScope(path: Path, scope: Scope, env: Env): Found | undefined {
  const [name = ""] = path.names;
  const found = alias(path, scope, env);
  if (found) return found;
  const columns = scope.columnsNamed(name);
  const variable = scope.variableNamed(name);
  const [column] = columns;
  const ambiguous = () => env.context.fail(path.at, `Column name ${name} is ambiguous`);
  if (variable && !variable.element) {
    const isStruct = column !== undefined && typeof column.type !== "string";
    if (path.names.length > 1 && !isStruct) return columnOf(variable, path, scope, env);
    if (column) throw ambiguous();
    return { value: rowValue(variable, scope, env, path.at), taken: 1 };
  }
  if (columns.length > 1) throw ambiguous();
  if (column && variable?.element && column.sql !== variable.element.sql && path.names.length === 1) throw ambiguous();
  const target = variable?.element ?? column;
  return target && { value: columnValue(target, scope, env, path.at), taken: 1 };
}

/** Returns a field of a struct. Throws if the value is not a struct or has no such field. */
export function fieldOf(value: Value, name: string, env: Env, at: number): Value {
  const { type } = value;
  if (typeof type === "string" || type.kind === "ARRAY")
    throw env.context.fail(at, `Cannot access field ${name} on a value with type ${typeText(type)}`);
  const index = type.fields.findIndex((field) => field.name?.toLowerCase() === name.toLowerCase());
  if (index < 0) throw env.context.fail(at, `Field name ${name} does not exist in ${typeText(type)}`);
  return fieldAt(value, index, at);
}

/** Returns the field of a struct at a position, from 0. */
export function fieldAt(value: Value, index: number, at: number): Value {
  const field = typeof value.type === "string" || value.type.kind === "ARRAY" ? undefined : value.type.fields[index];
  if (!field) throw new RangeError(`A value of type ${typeText(value.type)} has no field ${index}`);
  return { sql: `(${value.sql}).${quoteName(fieldName(field, index))}`, type: field.type, at };
}

/**
 * Resolves a path: an alias of the SELECT list, a column or a table's column, here or in an outer query. Undefined if nothing has its name.
 */
export function resolvePath(path: Path, env: Env): Value | undefined {
  for (let scope: Scope | undefined = env.scope; scope; scope = scope.parent) {
    const found = inScope(path, scope, env);
    if (!found) continue;
    return path.names.slice(found.taken).reduce((value, name) => fieldOf(value, name, env, path.at), found.value);
  }
  return undefined;
}
