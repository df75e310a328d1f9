import { toJsonSchema } from "@valibot/to-json-schema";
import type { Schema } from "../http/schema.ts";

/** A schema of JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Node = Readonly<Record<string, unknown>>;
/** What a client sends, or what it receives. JSON Schema cannot express the transformation between the two forms. */
type Mode = "input" | "output";

/** The named schemas of a document, collected while its operations are described. */
export interface Components {
  /** Returns a schema, in which each named part is a reference. Throws if an object has no name, or one name means two things. */
  readonly refer: (node: Node) => Node;
  /** Returns the schemas that were referred to, by name. */
  readonly schemas: () => Record<string, Node>;
}

/**
 * Collects named schemas. A schema gets its name by the metadata `title`, and its description by `about`; `description` says what it is for
 * where it is used. Generated clients call their types by these names.
 */
export function createComponents(): Components {
  const named = new Map<string, Node>();
  const refer = (node: Node): Node => {
    const { title, about, default: fallback, description, deprecated, ...rest } = withChildren(node, refer);
    const ofUse = present({ description, default: fallback, deprecated });
    if (typeof title !== "string") {
      if (rest.type === "object") throw new Error(`An object has no title: ${JSON.stringify(node).slice(0, 200)}`);
      return { ...rest, ...ofUse };
    }
    const own = { ...present({ description: about }), ...withMapping(rest, named) };
    const known = named.get(title) ?? own;
    if (JSON.stringify(known) !== JSON.stringify(own)) throw new Error(`Two schemas have the title ${title}`);
    named.set(title, known);
    return { $ref: `#/components/schemas/${title}`, ...ofUse };
  };
  return { refer, schemas: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Converts to JSON Schema, in a form that generators of clients understand. Titles are kept: `refer` makes names of them. */
export function jsonSchema(schema: Schema, mode: Mode): Node {
  const { $schema: _dialect, ...node } = toJsonSchema(schema, { typeMode: mode, errorMode: "ignore", target: "draft-2020-12" });
  return portable(node, mode);
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function present(members: Node): Node {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const LISTS = ["anyOf", "oneOf", "prefixItems"];
const SINGLE = ["items", "additionalProperties", "not"];

/** Returns a schema with each schema inside it changed. */
function withChildren(node: Node, change: (child: Node) => Node): Node {
  const one = (child: unknown): unknown => (isNode(child) ? change(child) : child);
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => {
      if (keyword === "properties" && isNode(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, one(child)]))];
      if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(one)];
      return [keyword, SINGLE.includes(keyword) ? one(value) : value];
    }),
  );
}

function portable(node: Node, mode: Mode): Node {
  const whole = withChildren(node, (child) => portable(child, mode));
  const changed = [withoutTuple, withoutNever, withOneOf, onTheWire, withType].reduce((form, change) => change(form), whole);
  return ofMode(changed, mode);
}

/** A query string holds texts only. Metadata `wire` says what a text stands for, such as a number, which is what a client passes. */
function onTheWire(node: Node): Node {
  const { wire, type, pattern: _pattern, anyOf: _any, oneOf: _one, minItems: _least, maxItems: _most, ...rest } = node;
  if (!isNode(wire)) return node;
  const isNumber = wire.type === "integer" || wire.type === "number";
  return { ...portable(wire, "input"), ...rest, ...(isNumber && rest.default !== undefined ? { default: Number(rest.default) } : {}) };
}

/** Names the type of constants, since generators do not derive it, and the width of numbers: Go's makes them of 32 bits otherwise. */
function withType(node: Node): Node {
  const values = Array.isArray(node.enum) ? node.enum : [];
  const typed = "const" in node && node.type === undefined ? { type: typeof node.const, ...node } : node;
  const isInteger = typed.type === "integer" || (values.length > 0 && values.every(Number.isInteger));
  if (isInteger) return { ...typed, type: "integer", format: "int64" };
  return typed.type === "number" ? { ...typed, format: "double" } : typed;
}

/** Options of our unions exclude each other. Generators make one type of `anyOf`, and a choice of `oneOf`; with null they expect `anyOf`. */
function withOneOf(node: Node): Node {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.some((option) => isNode(option) && option.type === "null")) return node;
  return { ...rest, oneOf: anyOf };
}

/** Tuples of one kind, such as positions, are lists of a fixed length: few generators know tuples. */
function withoutTuple(node: Node): Node {
  const { prefixItems, items: _no, minItems: _least, ...rest } = node;
  if (!Array.isArray(prefixItems)) return node;
  if (new Set(prefixItems.map((item) => JSON.stringify(item))).size !== 1)
    throw new Error("A tuple of different kinds has no portable form");
  return { ...rest, items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length };
}

/** A member that must not be there is left out: the object takes no further members anyway. */
function withoutNever(node: Node): Node {
  if (!isNode(node.properties)) return node;
  const { properties, required, ...rest } = node;
  const allowed = Object.entries(node.properties).filter(
    ([, child]) => !isNode(child) || !isNode(child.not) || Object.keys(child.not).length > 0,
  );
  return {
    ...rest,
    properties: Object.fromEntries(allowed),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

/** Returns the schema of a body with its defaults in words: a generator may require a member that has a default. */
export function withDefaultsInWords(node: Node): Node {
  const { default: fallback, ...rest } = withChildren(node, withDefaultsInWords);
  if (fallback === undefined) return rest;
  return { ...rest, description: [rest.description ?? [], `Default: ${JSON.stringify(fallback)}`].flat().join(". ") };
}

/** Requests with unknown members are refused. In responses, clients ignore members that they do not know: later versions may add some. */
function ofMode(node: Node, mode: Mode): Node {
  const { additionalProperties, propertyNames: _names, ...rest } = node;
  const isClosed = additionalProperties === false && mode === "output";
  return additionalProperties === undefined || isClosed ? rest : { ...rest, additionalProperties };
}

/** Completes a discriminator with the schema of each of its values. */
function withMapping(node: Node, named: ReadonlyMap<string, Node>): Node {
  const { discriminator, oneOf, anyOf } = node;
  const options = [oneOf, anyOf].flat().filter(isNode);
  if (!isNode(discriminator)) return node;
  const mapping = options.flatMap(({ $ref }) => {
    const properties = named.get(String($ref).split("/").at(-1) ?? "")?.properties;
    const tag = isNode(properties) ? properties[String(discriminator.propertyName)] : undefined;
    const values = isNode(tag) ? [tag.const ?? tag.enum ?? []].flat() : [];
    return values.map((value) => [String(value), $ref] as const);
  });
  return { ...node, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}
