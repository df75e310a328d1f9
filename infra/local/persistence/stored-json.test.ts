import * as v from "valibot";
import { expect, test } from "vitest";
import { storedJson } from "./stored-json.ts";

const SCHEMA = v.object({ made: v.boolean() });

test("a whole file is read", () => {
  expect(storedJson("/data/customers.json", '{"made":true}', SCHEMA)).toEqual({ made: true });
});

test.each([
  ["an empty file", "", "it is empty"],
  ["a cut file", '{"made"', "it is not what this service writes"],
  ["another file", '{"made":1}', "it is not what this service writes"],
])("%s is named, with what to do", (_, text, what) => {
  expect(() => storedJson("/data/customers.json", text, SCHEMA)).toThrow(
    `/data/customers.json is damaged: ${what}. Start with another data folder, restore the file from a copy, or delete it and lose all its data`,
  );
});
