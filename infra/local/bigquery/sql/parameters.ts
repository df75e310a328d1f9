import { DuckDBListValue, DuckDBStructValue, type DuckDBType, type DuckDBValue } from "@duckdb/node-api";
import * as v from "valibot";
import { BigQueryError, type ParameterType } from "../model.ts";
import { bindType, scalarBind } from "./bind.ts";
import { literalOf } from "./parameter-values.ts";
import { duckParameter, isPositional, positionalName } from "./positional.ts";
import { fieldName, type SqlType, typeOfParameter, typeText } from "./sql-type.ts";

/** A value for DuckDB's `$name`, with its type, which null alone would not determine. */
interface Bind {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

/** A query's parameters: their GoogleSQL types for the translator by the given names, and their values by DuckDB's names: to bind, or as SQL. */
export interface Parameters {
  readonly types: Map<string, ParameterType>;
  readonly binds: Map<string, Bind>;
  readonly literals: Map<string, string>;
}

interface RestType {
  type: string;
  arrayType?: RestType | undefined;
  structTypes?: { name?: string | undefined; type: RestType }[] | undefined;
}

interface RestValue {
  value?: string | number | boolean | null | undefined;
  arrayValues?: RestValue[] | null | undefined;
  structValues?: Record<string, RestValue> | null | undefined;
}

const TypeSchema: v.GenericSchema<RestType> = v.object({
  type: v.string(),
  arrayType: v.optional(v.lazy(() => TypeSchema)),
  structTypes: v.optional(v.array(v.object({ name: v.optional(v.string()), type: v.lazy(() => TypeSchema) }))),
});

const ValueSchema: v.GenericSchema<RestValue> = v.object({
  value: v.optional(v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
  arrayValues: v.optional(v.nullable(v.array(v.lazy(() => ValueSchema)))),
  structValues: v.optional(
    v.nullable(
      v.record(
        v.string(),
        v.lazy(() => ValueSchema),
      ),
    ),
  ),
});

const ParameterSchema = v.object({
  /** Absent, null or empty for a positional parameter. */
  name: v.optional(v.nullable(v.string())),
  parameterType: TypeSchema,
  parameterValue: v.optional(v.nullable(ValueSchema)),
});

function invalid(message: string): BigQueryError {
  return new BigQueryError("invalid", message, "query");
}

function parameterType(rest: RestType): ParameterType {
  return {
    type: rest.type,
    ...(rest.arrayType ? { arrayType: parameterType(rest.arrayType) } : {}),
    ...(rest.structTypes
      ? { structTypes: rest.structTypes.map(({ name, type }) => ({ name: name ?? "", type: parameterType(type) })) }
      : {}),
  };
}

function bindValue(rest: RestValue, type: SqlType, name: string): DuckDBValue {
  if (typeof type === "string") {
    if (rest.arrayValues || rest.structValues) throw invalid(`Query parameter '${name}' has a value that is no ${type}`);
    if (rest.value === undefined || rest.value === null) return null;
    const text = String(rest.value);
    const value = scalarBind(text, type);
    if (value === undefined) throw invalid(`Unparseable query parameter \`${name}\` in type \`TYPE_${type}\`, value: '${text}'`);
    return value;
  }
  if (rest.value !== undefined && rest.value !== null) throw invalid(`Query parameter '${name}' has a value that is no ${typeText(type)}`);
  // An array parameter is never null in BigQuery, and JSON may omit an empty list.
  if (type.kind === "ARRAY") return new DuckDBListValue((rest.arrayValues ?? []).map((item) => bindValue(item, type.element, name)));
  const { structValues } = rest;
  if (!structValues) return null;
  for (const given of Object.keys(structValues))
    if (!type.fields.some((field) => field.name === given))
      throw invalid(`Query parameter '${name}' has a value for ${given}, which its type has not`);
  const fields = type.fields.map((field, index) => [
    fieldName(field, index),
    bindValue(structValues[field.name ?? ""] ?? {}, field.type, name),
  ]);
  return new DuckDBStructValue(Object.fromEntries(fields));
}

/**
 * Parses the REST API's `queryParameters`, all named or all positional: scalar types, arrays, structs and arrays of structs. Throws a BigQueryError
 * `invalid` for a wrong shape, an unknown type, a value that does not fit, a missing or repeated name.
 */
export function parseParameters(parameters: readonly unknown[]): Parameters {
  const types = new Map<string, ParameterType>();
  const binds = new Map<string, Bind>();
  const literals = new Map<string, string>();
  const names = new Set<string>();
  for (const [index, item] of parameters.entries()) {
    const parsed = v.safeParse(ParameterSchema, item);
    if (!parsed.success) throw invalid(`Invalid query parameter: ${parsed.issues[0].message}`);
    const given = parsed.output.name || undefined;
    if (given !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(given)) throw invalid(`Invalid query parameter name: ${given}`);
    const name = given ?? positionalName(index + 1);
    const [first = name] = names;
    if (isPositional(first) !== isPositional(name)) throw invalid("Query parameters must be either all named or all positional");
    if (names.has(name.toLowerCase())) throw invalid(`Duplicate query parameter name: ${name}`);
    names.add(name.toLowerCase());
    const declared = parameterType(parsed.output.parameterType);
    const type = typeOfParameter(declared);
    if (type === undefined) throw invalid(`Unsupported type ${declared.type} of query parameter '${name}'`);
    types.set(name, declared);
    const value = bindValue(parsed.output.parameterValue ?? {}, type, name);
    const literal = literalOf(value);
    if (literal === undefined) binds.set(duckParameter(name), { value, type: bindType(type) });
    else literals.set(duckParameter(name), literal);
  }
  return { types, binds, literals };
}
