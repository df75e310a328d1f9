import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { fieldErrors } from "./field-errors.ts";

const Schema = v.strictObject({
  name: v.string(),
  kind: v.picklist(["a", "b"]),
  inner: v.optional(v.strictObject({ list: v.array(v.number()) })),
  "a/b~c": v.optional(v.number()),
  isNew: v.optional(v.boolean()),
  only: v.optional(v.literal("one")),
});

function errorsOf(value: unknown) {
  return fieldErrors(v.safeParse(Schema, value).issues ?? []);
}

describe("a field error", () => {
  it.each([
    [{ kind: "a" }, { pointer: "/name", detail: "is required" }],
    [{ name: "x" }, { pointer: "/kind", detail: "is required" }],
    [
      { name: "x", kind: "c" },
      { pointer: "/kind", detail: "must be one of a, b", allowed: ["a", "b"] },
    ],
    [
      { name: 1, kind: "a" },
      { pointer: "/name", detail: "must be a string" },
    ],
    [
      { name: "x", kind: "a", inner: { list: [1, "two"] } },
      { pointer: "/inner/list/1", detail: "must be a number" },
    ],
    [
      { name: "x", kind: "a", inner: { list: 1 } },
      { pointer: "/inner/list", detail: "must be an array" },
    ],
    [
      { name: "x", kind: "a", other: 1 },
      { pointer: "/other", detail: "is not a known field" },
    ],
    [
      { name: "x", kind: "a", "a/b~c": "1.5" },
      { pointer: "/a~1b~0c", detail: "must be a number, without quotation marks" },
    ],
    [
      { name: "x", kind: "a", isNew: "true" },
      { pointer: "/isNew", detail: "must be true or false, without quotation marks" },
    ],
    [
      { name: "x", kind: "a", "a/b~c": " " },
      { pointer: "/a~1b~0c", detail: "must be a number" },
    ],
    [
      { name: "x", kind: "a", isNew: "1" },
      { pointer: "/isNew", detail: "must be true or false" },
    ],
    [
      { name: "x", kind: "a", inner: "1" },
      { pointer: "/inner", detail: "must be a JSON object" },
    ],
    [
      { name: "x", kind: "a", only: "two" },
      { pointer: "/only", detail: "must be one", allowed: ["one"] },
    ],
    ["text", { pointer: "", detail: "must be a JSON object" }],
    [undefined, { pointer: "", detail: "A JSON object is required as the body" }],
  ])("of %j has a pointer, a detail and the valid values", (value, error) => {
    expect(errorsOf(value)).toContainEqual(error);
  });
});
