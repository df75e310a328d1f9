import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFieldPath, project, valueAt, withValueAt } from "./field-path.ts";
import type { Fields, Value } from "./wire.ts";

const text = (stringValue: string): Value => ({ valueType: "stringValue", stringValue });
const map = (fields: Fields): Value => ({ valueType: "mapValue", mapValue: { fields } });
const quoted = (segment: string) => `\`${segment.replace(/[\\`]/g, "\\$&")}\``;

describe("a field path", () => {
  it("returns quoted segments unescaped", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (segments) => {
        expect(parseFieldPath(segments.map(quoted).join("."))).toEqual(segments);
      }),
      { seed: 1 },
    );
  });

  it.each(["", ".", "a.", ".a", "a..b", "a b", "1a", "a-b", "`a", "``", "`a`b", "a.`b"])("%j is refused", (path) => {
    expect(() => parseFieldPath(path)).toThrow("Invalid property path");
  });

  it("finds only own fields of a document", () => {
    expect(valueAt({}, ["constructor"])).toBeUndefined();
    expect(valueAt({ a: text("x") }, ["a", "length"])).toBeUndefined();
  });

  it("sets and removes a value without changing the old fields", () => {
    const old: Fields = { a: map({ b: text("1"), c: text("2") }), d: text("3") };
    const copy = structuredClone(old);
    expect(withValueAt(old, ["a", "b"], text("9"))).toEqual({ a: map({ b: text("9"), c: text("2") }), d: text("3") });
    expect(withValueAt(old, ["d", "e"], text("9"))).toEqual({ ...old, d: map({ e: text("9") }) });
    expect(withValueAt(old, ["a", "b"], undefined)).toEqual({ a: map({ c: text("2") }), d: text("3") });
    expect(withValueAt(old, ["d", "e"], undefined)).toEqual(old);
    expect(old).toEqual(copy);
  });

  it("selects parts of maps", () => {
    const fields: Fields = { a: map({ b: text("1"), c: text("2") }), d: text("3") };
    expect(project(fields, { fieldPaths: ["a.c", "none", "__name__"] })).toEqual({ a: map({ c: text("2") }) });
    expect(project(fields, { fieldPaths: [] })).toEqual({});
    expect(project(fields, null)).toBe(fields);
  });
});
