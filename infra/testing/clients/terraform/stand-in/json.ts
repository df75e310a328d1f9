import * as v from "valibot";

/** An object of JSON whose fields nobody has judged yet. */
export type Fields = Readonly<Record<string, unknown>>;

const Body = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
/** Fields with names of a customer's own choice: their values stay, even if empty. */
const MAPS: ReadonlySet<string> = new Set(["labels", "userLabels", "headers", "labelExtractors", "attributeMapping"]);

/** Returns the object that a text is. Throws an Error if it is none. */
export function parseFields(json: string): Fields {
  return v.parse(Body, json);
}

/** Whether a value is an object of JSON. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object's fields; of anything else, none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Returns a list's items; of anything else, none. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text; of anything else, an empty one. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns what is at a path of fields. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found, name) => fields(found)[name], value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === 0 || value === false || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** Returns a value as protocol buffers show it in JSON: without zeros, falses, empty texts and empty lists. Empty messages stay. */
export function sparse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sparse);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => !isEmpty(field))
      .map(([name, field]) => [name, MAPS.has(name) ? field : sparse(field)]),
  );
}

/** Returns a resource after a change: of the fields of a mask (`a.b_c,d`), or of all that are sent. */
export function merged(old: Fields, change: Fields, mask: string): Fields {
  if (mask === "") return { ...old, ...change };
  const paths = mask.split(",").map((path) => path.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return paths.reduce((next, path) => withField(next, path.split("."), at(change, ...path.split("."))), old);
}

function withField(old: Fields, [name = "", ...rest]: readonly string[], value: unknown): Fields {
  return { ...old, [name]: rest.length === 0 ? value : withField(fields(old[name]), rest, value) };
}
