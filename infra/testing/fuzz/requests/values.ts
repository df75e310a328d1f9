import fc from "fast-check";
import { type JsonSchema, schemaFaults } from "../json-schema.ts";
import { type Knowledge, wordsFor } from "./words.ts";

const DATE_MIN = new Date("1900-01-01T00:00:00Z");
const DATE_MAX = new Date("2999-12-31T23:59:59Z");
const ITEMS_MAX = 5;

/** Draws values that a schema accepts: mostly words that fit the member's name, otherwise any valid value. */
export function valuesOf(schema: JsonSchema, name: string, knowledge: Knowledge): fc.Arbitrary<unknown> {
  const words = wordsFor(name, knowledge).filter((word) => isValidWord(schema, word));
  const any = anyOf(schema, name, knowledge);
  return words.length === 0 ? any : fc.oneof({ arbitrary: fc.constantFrom(...words), weight: 4 }, { arbitrary: any, weight: 1 });
}

/** A placeholder is valid where the sender's value is. */
function isValidWord(schema: JsonSchema, word: unknown): boolean {
  const things = { uid: "abcdefgh1234", map: "A".repeat(20), job: "00000000-0000-4000-8000-000000000000", cursor: "x" };
  const thing = typeof word === "string" && /^~(\w+)/.exec(word)?.[1];
  return schemaFaults(schema, Object.entries(things).find(([kind]) => kind === thing)?.[1] ?? word).length === 0;
}

function anyOf(schema: JsonSchema, name: string, knowledge: Knowledge): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  // Keywords next to a choice apply to each of its branches, such as the type of a text with several formats.
  if (choices)
    return fc.oneof(...choices.map((choice) => valuesOf({ ...schema, anyOf: undefined, oneOf: undefined, ...choice }, name, knowledge)));
  switch (schema.type) {
    case "object":
      return objects(schema, knowledge);
    case "array":
      return arrays(schema, name, knowledge);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "string":
      return texts(schema);
    default:
      return fc.jsonValue();
  }
}

function objects({ properties = {}, required = [] }: JsonSchema, knowledge: Knowledge): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(properties).filter(([, member]) => member.not === undefined);
  const model = Object.fromEntries(members.map(([name, member]) => [name, valuesOf(member, name, knowledge)]));
  return fc.record(model, { requiredKeys: [...required] });
}

function arrays(schema: JsonSchema, name: string, knowledge: Knowledge): fc.Arbitrary<unknown[]> {
  const items = typeof schema.items === "object" ? valuesOf(schema.items, name, knowledge) : fc.jsonValue();
  const least = schema.minItems ?? 0;
  return fc.array(items, { minLength: least, maxLength: Math.min(schema.maxItems ?? ITEMS_MAX, least + ITEMS_MAX) });
}

function texts({ pattern, format, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  const dates = fc.date({ min: DATE_MIN, max: DATE_MAX, noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date-time") return dates;
  if (format === "date") return dates.map((text) => text.slice(0, 10));
  if (format === "uuid") return fc.uuid();
  const fits = (text: string): boolean => [...text].length >= minLength && [...text].length <= maxLength;
  if (pattern !== undefined) return matching(pattern).filter(fits);
  return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 60) }).filter(fits);
}

const patterns = new Map<string, fc.Arbitrary<string>>();

/** Draws texts that match a pattern. Generators are cached: building one from a Unicode class takes a second. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, "u"));
  patterns.set(pattern, known);
  return known;
}
