import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { JsonSchema, schemaFaults } from "./json-schema.ts";

const person = { type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: false };
const pair = { type: "array", prefixItems: [{ type: "number" }, { type: "number" }], items: false, minItems: 2 };

describe("the schema checker", () => {
  it.each([
    [{ type: "integer" }, 1.0, 1.5],
    [{ type: "number" }, 1e308, "1"],
    [{ type: "null" }, null, undefined],
    [{ type: "object" }, {}, []],
    [{ type: "array" }, [], {}],
    [{ enum: ["a", null] }, null, "b"],
    [{ const: -1 }, -1, 1],
    [{ minimum: 0, maximum: 100 }, 100, 100.1],
    [{ minLength: 1, maxLength: 2 }, "👍👍", "abc"],
    [{ pattern: "^[a-z]+$" }, "abc", "abc\n"],
    [{ format: "uri" }, "https://storage.example.org/a?b=c", "/a?b=c"],
    [{ format: "uuid" }, "00000000-0000-4000-8000-000000000000", "0"],
    [{ format: "date" }, "2026-02-28", "2026-13-01"],
    [{ format: "date-time" }, "2026-02-28T00:00:00.000Z", "2026-02-28"],
    [{ items: { type: "string" }, maxItems: 2 }, ["a", "b"], ["a", 1]],
    [pair, [1, 2], [1, 2, 3]],
    [person, { name: "" }, {}],
    [person, { name: "x" }, { name: "x", age: 1 }],
    [person, { name: "x" }, JSON.parse('{"name":"x","__proto__":1}')],
    [{ type: "object", propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    [{ type: "object", additionalProperties: { type: "number" } }, { a: 1 }, { a: "1" }],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, 1],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1.5, 1],
    [{ not: {} }, undefined, 1],
  ])("of %j accepts %j and refuses %j", (schema, right, wrong) => {
    const parsed = v.parse(JsonSchema, schema);
    if (right !== undefined) expect(schemaFaults(parsed, right)).toEqual([]);
    if (wrong !== undefined) expect(schemaFaults(parsed, wrong)).not.toEqual([]);
  });

  it("reports the location of an error", () => {
    const list = v.parse(JsonSchema, { type: "object", properties: { people: { type: "array", items: person } } });
    expect(schemaFaults(list, { people: [{ name: "x" }, { name: 1 }] })).toEqual(["/people/1/name is not of type string"]);
  });

  it("refuses a schema with a keyword that it does not check", () => {
    for (const unknown of [{ uniqueItems: true }, { items: [{}] }, { format: "email" }, { properties: { a: { multipleOf: 2 } } }])
      expect(() => v.parse(JsonSchema, unknown)).toThrow();
  });
});
