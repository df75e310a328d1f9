import type { Expression } from "./expression.ts";
import { toSet } from "./functions.ts";
import { asFields, asList, asNumber, asText, asTruth, entriesOf, Unknown, type Value } from "./value.ts";

/**
 * Converts a value to a variable's type: drops attributes that the type does not name, fills in defaults of optional ones, and sorts sets.
 * Throws if the value does not have the type.
 */
export function convert(value: Value, type: Expression): Value {
  if (value === null || value instanceof Unknown) return value;
  if (type.kind === "name") return convertPrimitive(value, type.root);
  if (type.kind !== "call") throw new Error("A type is a word or a call");
  const [inner] = type.args;
  if (inner === undefined) throw new Error(`${type.name} of what?`);
  if (type.name === "object") return convertObject(value, inner);
  if (type.name === "map") return Object.fromEntries(entriesOf(asFields(value)).map(([key, item]) => [key, convert(item, inner)]));
  const items = asList(value).map((item) => convert(item, inner));
  return type.name === "set" ? toSet(items) : items;
}

function convertPrimitive(value: Value, type: string): Value {
  if (type === "string") return asText(value);
  if (type === "number") return asNumber(value);
  return type === "bool" ? asTruth(value) : value;
}

function convertObject(value: Value, type: Expression): Value {
  if (type.kind !== "object") throw new Error("An object's type is an object");
  const fields = asFields(value);
  return Object.fromEntries(
    type.entries.map(([key, attribute]) => {
      if (key.kind !== "literal") throw new Error("An attribute has a name");
      const name = String(key.value);
      const given = fields[name];
      if (attribute.kind !== "call" || attribute.name !== "optional") {
        if (given === undefined) throw new Error(`The attribute ${name} is missing`);
        return [name, convert(given, attribute)];
      }
      const [inner = attribute, otherwise] = attribute.args;
      const present = given ?? (otherwise?.kind === "literal" ? otherwise.value : textDefault(otherwise));
      return [name, convert(present, inner)];
    }),
  );
}

/** Returns a constant default. A text is a template with one part. */
function textDefault(expression: Expression | undefined): Value {
  if (expression === undefined) return null;
  const [part] = expression.kind === "template" ? expression.parts : [];
  if (part?.kind === "literal") return part.value;
  throw new Error("A default that is neither a text, a number nor a truth value");
}
