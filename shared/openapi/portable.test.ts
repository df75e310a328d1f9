import * as v from "valibot";
import { describe, expect, it } from "vitest";
import data from "../../infra/generated/openapi.data.json" with { type: "json" };
import users from "../../infra/generated/openapi.users.json" with { type: "json" };
import { isNode, type Node } from "./schemas.ts";

/** Returns a part of a document and all parts inside it. */
function partsOf(part: unknown): unknown[] {
  return typeof part === "object" && part !== null ? [part, ...Object.values(part).flatMap(partsOf)] : [part];
}

const Choice = v.object({
  oneOf: v.array(v.object({ $ref: v.string() })),
  discriminator: v.object({ propertyName: v.string(), mapping: v.record(v.string(), v.string()) }),
});
const Option = v.object({ properties: v.record(v.string(), v.unknown()), required: v.array(v.string()) });
const Tag = v.union([v.object({ const: v.string() }), v.object({ enum: v.array(v.string()) })]);

/** What ECMAScript, RE2 and the patterns of Python and Java read alike: no look-around, no back reference, no escape of more than two digits. */
const PORTABLE = /^(?:[^\\(]|\\(?:[dsSwW.]|x[0-9a-f]{2})|\((?!\?))+$/;

describe.each([
  ["users", users],
  ["data", data],
])("what generators of clients need in the document of the %s API", (api, document) => {
  const schemas: Node = document.components.schemas;
  const named = (ref: string): unknown => schemas[ref.slice("#/components/schemas/".length)];
  const nodes = partsOf(document).filter(isNode);

  it("is the cursor of the next page, or null, in every page; a list of maps that nobody asked to page has none", () => {
    const pages = nodes.flatMap(({ properties, required }) =>
      isNode(properties) && "next_cursor" in properties && !("maps" in properties) ? [required] : [],
    );
    if (api === "data") expect(pages.length).toBeGreaterThan(0);
    for (const required of pages) expect(required).toContain("next_cursor");
  });

  it("are patterns that other programs read as ECMAScript does", () => {
    const patterns = nodes.flatMap(({ pattern }) => (typeof pattern === "string" ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) {
      expect(pattern).toMatch(PORTABLE);
      expect(pattern).toMatch(/^[ -~]+$/);
      // RE2 repeats at most 1,000 times.
      for (const [, most] of pattern.matchAll(/\{\d*,?(\d+)\}/g)) expect(Number(most)).toBeLessThanOrEqual(1000);
      for (const flags of ["", "u"]) expect(() => new RegExp(pattern, flags)).not.toThrow();
    }
  });

  it("is a member by which the options of each choice between objects are told apart", () => {
    const refs = (options: unknown) => v.is(v.array(v.object({ $ref: v.string() })), options);
    const choices = nodes.filter(({ oneOf, anyOf }) => refs(oneOf ?? anyOf));
    expect(choices.length).toBeGreaterThan(0);
    for (const choice of choices) {
      const { oneOf, discriminator } = v.parse(Choice, choice);
      const mapping = oneOf.flatMap(({ $ref }) => {
        const { properties, required } = v.parse(Option, named($ref));
        expect(required).toContain(discriminator.propertyName);
        const tag = v.parse(Tag, properties[discriminator.propertyName]);
        return ("const" in tag ? [tag.const] : tag.enum).map((value) => [value, $ref] as const);
      });
      expect(new Set(mapping.map(([value]) => value)).size, JSON.stringify(choice)).toBe(mapping.length);
      expect(discriminator.mapping).toEqual(Object.fromEntries(mapping));
    }
  });
});
