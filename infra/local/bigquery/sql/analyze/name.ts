import type { Path } from "../parse/ast.ts";
import { fieldName, quoteName, typeText } from "../sql-type.ts";
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
    throw env.context.fail(path.at, `The row of ${name} as a value is not supported by the local BigQuery`);
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
  const field = type.fields[index];
  if (!field) throw env.context.fail(at, `Field name ${name} does not exist in ${typeText(type)}`);
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
