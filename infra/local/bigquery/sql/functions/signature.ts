import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Value } from "../analyze/value.ts";
import type { Call } from "../parse/ast.ts";
import { type SqlType, sameType, typeText } from "../sql-type.ts";

/** One signature of a function: its argument types, its result type, and the DuckDB SQL built from the arguments' SQL. */
export interface Signature {
  readonly args: readonly SqlType[];
  readonly result: SqlType;
  readonly sql: (...args: readonly string[]) => string;
}

/** A function on the allow-list. */
export type Implementation = (call: Call, env: Env) => Value;

export type Library = Readonly<Record<string, Implementation>>;

export function signature(args: readonly SqlType[], result: SqlType, sql: (...args: readonly string[]) => string): Signature {
  return { args, result, sql };
}

/** Types for which BigQuery has signatures that are not translated. */
const PARTLY: readonly string[] = ["NUMERIC", "BYTES", "JSON"];

export function noMatch(call: Call, env: Env, values: readonly Value[]) {
  const types = values.map((value) => typeText(value.type)).join(", ");
  const other = values.some(({ type }) => typeof type === "string" && PARTLY.includes(type));
  const hint = other ? " in the local BigQuery (BigQuery itself may have one)" : "";
  return env.context.fail(
    call.at,
    `No matching signature for function ${call.name}${types === "" ? " with no arguments" : ` for argument types: ${types}`}${hint}`,
  );
}

function fits(values: readonly Value[], { args }: Signature): boolean {
  return args.length === values.length && values.every((value, index) => sameType(value.type, args[index] ?? "NULL"));
}

function coerced(values: readonly Value[], { args }: Signature): string[] | undefined {
  if (args.length !== values.length) return undefined;
  const sql = values.map((value, index) => coerce(value, args[index] ?? "NULL"));
  const known = sql.filter((text) => text !== undefined);
  return known.length === values.length ? known : undefined;
}

/** Applies the first signature that the values match exactly, else the first that they coerce to. Throws if there is none. */
function applySignature(call: Call, env: Env, values: readonly Value[], signatures: readonly Signature[]): Value {
  const ordered = [...signatures.filter((candidate) => fits(values, candidate)), ...signatures];
  for (const candidate of ordered) {
    const sql = coerced(values, candidate);
    if (sql) return { sql: candidate.sql(...sql), type: candidate.result, at: call.at };
  }
  throw noMatch(call, env, values);
}

/** A function whose arguments are all ordinary expressions. */
export function scalar(...signatures: readonly Signature[]): Implementation {
  return (call, env) =>
    applySignature(
      call,
      env,
      call.args.map((arg) => env.value(arg)),
      signatures,
    );
}
