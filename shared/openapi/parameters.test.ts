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
