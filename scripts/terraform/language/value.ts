/** A value of Terraform's language. Sets are lists in the order of their elements; maps are objects. */
export type Value = null | boolean | number | string | Unknown | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

/** What only the cloud can tell, such as a resource's id: known by the expression that names it. */
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

/** A map's keys and values in the order in which Terraform goes through them, or a list's with their indices. Throws for what is neither. */
export function entriesOf(value: Value): [key: number | string, value: Value][] {
  if (isList(value)) return value.map((item, index) => [index, item]);
  if (isFields(value))
    return Object.keys(value)
      .sort()
      .map((key) => [key, value[key] ?? null]);
  throw new Error(`Neither a list nor a map: ${textOf(value)}`);
}

/** A value as the part of a text, in which numbers and truth values are written as Terraform writes them. Throws for lists, maps and null. */
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

/** A list's elements, or a map's values. */
export function asList(value: Value): Value[] {
  return entriesOf(value).map(([, item]) => item);
}

export function asFields(value: Value): Fields {
  if (isFields(value)) return value;
  throw new Error(`No map: ${textOf(value)}`);
}

/** JSON in which maps are in the order of their keys, so that equal values have equal texts. What is unknown is `<its expression>`. */
export function textOf(value: Value): string {
  if (value instanceof Unknown) return JSON.stringify(`<${value.of}>`);
  if (isList(value)) return `[${value.map(textOf).join(",")}]`;
  if (isFields(value)) return `{${entriesOf(value).map(([key, item]) => `${JSON.stringify(key)}:${textOf(item)}`)}}`;
  return JSON.stringify(value);
}

/** Whether a value is unknown, or holds something that is. */
export function unknownIn(value: Value): Unknown | undefined {
  if (value instanceof Unknown) return value;
  if (!isList(value) && !isFields(value)) return undefined;
  return entriesOf(value)
    .map(([, item]) => unknownIn(item))
    .find((found) => found !== undefined);
}
