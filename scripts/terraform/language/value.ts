/** A value of Terraform's language. Sets are sorted lists; maps are objects. */
export type Value = null | boolean | number | string | Unknown | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

/** A value that is known only after an apply, such as a resource's id. Identified by the expression that names it. */
export class Unknown {
  readonly of: string;

  constructor(of: string) {
    this.of = of;
  }
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isFields(value: Value): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Unknown) && !isList(value);
}

/** Returns a map's entries in Terraform's iteration order, or a list's with their indices. Throws for other values. */
export function entriesOf(value: Value): [key: number | string, value: Value][] {
  if (isList(value)) return value.map((item, index) => [index, item]);
  if (isFields(value))
    return Object.keys(value)
      .sort()
      .map((key) => [key, value[key] ?? null]);
  throw new Error(`Neither a list nor a map: ${textOf(value)}`);
}

/** Converts a value to text for a template, with Terraform's notation of numbers and booleans. Throws for lists, maps and null. */
export function asText(value: Value): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`No text: ${textOf(value)}`);
}

export function asNumber(value: Value): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && !Number.isNaN(number)) return number;
  throw new Error(`No number: ${textOf(value)}`);
}

export function asTruth(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw new Error(`Neither true nor false: ${textOf(value)}`);
}

/** Returns a list's elements, or a map's values. */
export function asList(value: Value): Value[] {
  return entriesOf(value).map(([, item]) => item);
}

export function asFields(value: Value): Fields {
  if (isFields(value)) return value;
  throw new Error(`No map: ${textOf(value)}`);
}

/** Returns JSON with sorted keys, so that equal values have equal texts. An unknown value is `<its expression>`. */
export function textOf(value: Value): string {
  if (value instanceof Unknown) return JSON.stringify(`<${value.of}>`);
  if (isList(value)) return `[${value.map(textOf).join(",")}]`;
  if (isFields(value)) return `{${entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)}}`;
  return JSON.stringify(value);
}

/** Returns whether a value is unknown or contains an unknown value. */
export function unknownIn(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value;
  if (!isList(value) && !isFields(value)) return undefined;
  return entriesOf(value)
    .map(([, item]) => unknownIn(item))
    .find((found) => found !== undefined);
}
