import * as v from "valibot";
import { expect, it } from "vitest";
import { jsonSchema } from "../openapi/schemas.ts";
import { Full, FullQuery } from "./request-fields.ts";

it.each([
  [true, true],
  ["true", true],
  [false, false],
  ["false", false],
])("full takes %j, in a body and in a query", (given, full) => {
  expect(v.parse(Full, given)).toBe(full);
  expect(v.parse(FullQuery, given)).toBe(full);
});

it("full of a query is documented as a boolean: generated clients cannot send a choice", () => {
  expect(jsonSchema(v.optional(FullQuery), "input")).toEqual({ type: "boolean" });
});
