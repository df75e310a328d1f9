import * as v from "valibot";
import { expect, it } from "vitest";
import type { Schema } from "../http/schema.ts";
import { parameters } from "./parameters.ts";
import { createComponents, jsonSchema } from "./schemas.ts";

const of = (schema: Schema) => parameters(jsonSchema(schema, "input"), "query", {}, createComponents().refer);
const variants = (first: v.ObjectEntries, second: v.ObjectEntries) =>
  v.variant("kind", [v.strictObject({ kind: v.literal("a"), ...first }), v.strictObject({ kind: v.literal("b"), ...second })]);
const form = v.optional(v.picklist(["rows", "columns"]), "rows");

it("has a default only if every variant takes the parameter, since some clients send it", () => {
  expect(of(variants({ form }, { form }))).toContainEqual(
    expect.objectContaining({ schema: expect.objectContaining({ default: "rows" }) }),
  );
  expect(of(variants({ form }, {}))).toContainEqual({
    name: "form",
    in: "query",
    required: false,
    description: 'Optional for a (Default: "rows")',
    schema: { type: "string", enum: ["rows", "columns"] },
  });
});

it("has the values and the default of the variant that takes most, if the others take some of them", () => {
  const schema = { type: "string", enum: ["rows", "columns"], default: "rows" };
  const rows = v.optional(v.picklist(["rows"]), "rows");
  for (const all of [variants({ form }, { form: rows }), variants({ form: rows }, { form })])
    expect(of(all)).toContainEqual({ name: "form", in: "query", required: false, schema });
});

it("is described as the texts that some variant takes, and by its values of each variant in words", () => {
  const list = v.picklist(["sum", "max"]);
  const name = v.pipe(v.string(), v.metadata({ pattern: "^[a-z]+$", description: "Only a name" }));
  expect(of(variants({ form: list }, { form: v.optional(name) }))).toContainEqual({
    name: "form",
    in: "query",
    required: false,
    description: "Required for a (one of sum, max); Optional for b (Only a name)",
    schema: { type: "string", pattern: "^[a-z]+$" },
  });
  const capital = v.pipe(v.string(), v.metadata({ pattern: "^[A-Z]+$" }));
  expect(of(variants({ form: list }, { form: capital }))).toContainEqual(expect.objectContaining({ schema: { type: "string" } }));
  expect(() => of(variants({ form: list }, { form: v.number() }))).toThrow("form has no form that all its variants share");
});
