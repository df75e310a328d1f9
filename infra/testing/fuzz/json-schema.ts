import * as v from "valibot";

type Scalar = string | number | boolean | null;

/** The part of JSON Schema (2020-12, the dialect of OpenAPI 3.1) that the documents use. */
export interface JsonSchema {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  readonly propertyNames?: JsonSchema | undefined;
  readonly items?: boolean | JsonSchema | undefined;
  readonly prefixItems?: readonly JsonSchema[] | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly enum?: readonly Scalar[] | undefined;
  readonly const?: Scalar | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly not?: JsonSchema | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

const Child = v.lazy(() => JsonSchema);
const Scalars = v.nullable(v.union([v.string(), v.number(), v.boolean()]));

/** Other keywords are refused, because they would not be checked. */
export const JsonSchema: v.GenericSchema<unknown, JsonSchema> = v.strictObject({
  type: v.optional(v.picklist(["object", "array", "string", "number", "integer", "boolean", "null"])),
  properties: v.optional(v.record(v.string(), Child)),
  required: v.optional(v.array(v.string())),
  additionalProperties: v.optional(v.union([v.boolean(), Child])),
  propertyNames: v.optional(Child),
  items: v.optional(v.union([v.boolean(), Child])),
  prefixItems: v.optional(v.array(Child)),
  minItems: v.optional(v.number()),
  maxItems: v.optional(v.number()),
  enum: v.optional(v.array(Scalars)),
  const: v.optional(Scalars),
  anyOf: v.optional(v.array(Child)),
  oneOf: v.optional(v.array(Child)),
  not: v.optional(Child),
  minLength: v.optional(v.number()),
  maxLength: v.optional(v.number()),
  pattern: v.optional(v.string()),
  format: v.optional(v.picklist(["date", "date-time", "double", "int64", "uri", "uuid"])),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  // Annotations, which do not affect validity.
  default: v.optional(v.unknown()),
  deprecated: v.optional(v.boolean()),
  // It repeats what oneOf says.
  discriminator: v.optional(v.unknown()),
  description: v.optional(v.string()),
  examples: v.optional(v.array(v.unknown())),
});

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)),
  uri: (text) => URL.canParse(text),
  double: () => true,
  int64: () => true,
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns every violation of a schema by a value, with its JSON pointer. Empty when the value is valid. */
export function schemaFaults(schema: JsonSchema, value: unknown, place = ""): string[] {
  return [
    ...typeFaults(schema, value, place),
    ...choiceFaults(schema, value, place),
    ...(typeof value === "string" ? textFaults(schema, value, place) : []),
    ...(typeof value === "number" ? numberFaults(schema, value, place) : []),
    ...(Array.isArray(value) ? arrayFaults(schema, value, place) : []),
    ...(isObject(value) ? objectFaults(schema, value, place) : []),
  ];
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function typeFaults({ type }: JsonSchema, value: unknown, place: string): string[] {
  return type === undefined || TYPES[type]?.(value) ? [] : [`${place || "/"} is not of type ${type}`];
}

function choiceFaults({ enum: values, const: constant, anyOf, oneOf, not }: JsonSchema, value: unknown, place: string): string[] {
  const matching = (schemas: readonly JsonSchema[]): number => schemas.filter((schema) => schemaFaults(schema, value).length === 0).length;
  const nearest = (schemas: readonly JsonSchema[]): string =>
    schemas
      .map((schema) => schemaFaults(schema, value, place))
      .sort((a, b) => a.length - b.length)[0]
      ?.join("; ") ?? "";
  const at = place || "/";
  return [
    ...(values && !values.some((one) => one === value) ? [`${at} is none of ${values.join(", ")}`] : []),
    ...(constant !== undefined && constant !== value ? [`${at} is not ${constant}`] : []),
    ...(anyOf && matching(anyOf) === 0 ? [`${at} is none of anyOf: ${nearest(anyOf)}`] : []),
    ...(oneOf && matching(oneOf) !== 1 ? [`${at} is ${matching(oneOf)} of oneOf: ${nearest(oneOf)}`] : []),
    ...(not && matching([not]) === 1 ? [`${at} matches a schema under "not"`] : []),
  ];
}

function textFaults({ minLength = 0, maxLength = Infinity, pattern, format }: JsonSchema, text: string, place: string): string[] {
  const length = [...text].length;
  const at = place || "/";
  return [
    ...(length < minLength || length > maxLength ? [`${at} has ${length} characters`] : []),
    ...(pattern !== undefined && !new RegExp(pattern, "u").test(text) ? [`${at} does not match ${pattern}`] : []),
    ...(format !== undefined && !FORMATS[format]?.(text) ? [`${at} is no ${format}`] : []),
  ];
}

function numberFaults({ minimum = -Infinity, maximum = Infinity }: JsonSchema, number: number, place: string): string[] {
  return number < minimum || number > maximum ? [`${place || "/"} is ${number}, outside ${minimum} to ${maximum}`] : [];
}

function arrayFaults({ items, prefixItems = [], minItems = 0, maxItems = Infinity }: JsonSchema, list: readonly unknown[], place: string) {
  const ofItem = (index: number): JsonSchema | boolean | undefined => prefixItems[index] ?? items;
  return [
    ...(list.length < minItems || list.length > maxItems ? [`${place || "/"} has ${list.length} items`] : []),
    ...list.flatMap((item, index) => memberFaults(ofItem(index), item, `${place}/${index}`)),
  ];
}

function objectFaults(schema: JsonSchema, value: Readonly<Record<string, unknown>>, place: string): string[] {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const known = (name: string): JsonSchema | boolean | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, member]) => [
      ...memberFaults(known(name), member, `${place}/${name}`),
      ...(propertyNames ? schemaFaults(propertyNames, name, `${place}/${name} (name)`) : []),
    ]),
  ];
}

function memberFaults(schema: JsonSchema | boolean | undefined, value: unknown, place: string): string[] {
  if (schema === false) return [`${place} is not allowed`];
  return schema === undefined || schema === true ? [] : schemaFaults(schema, value, place);
}
