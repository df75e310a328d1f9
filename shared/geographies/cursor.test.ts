import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeGeographyCursor, encodeGeographyCursor } from "./cursor.ts";
import type { GeographyFilters } from "./find.ts";

const FILTERS: GeographyFilters = { country: "EST", geoType: "admin_level_2", bbox: [21, 57, 28, 60], name: "linn", ids: [3, 1, 784] };
const REFUSAL = expect.objectContaining({ code: "invalid_argument", errors: [expect.objectContaining({ pointer: "/cursor" })] });

describe("a cursor", () => {
  it("decodes to its id and is safe in a URL", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (id) => {
        const cursor = encodeGeographyCursor(FILTERS, id);
        expect(cursor).toMatch(/^[\w-]{22}$/);
        expect(decodeGeographyCursor(FILTERS, cursor)).toBe(id);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("does not depend on the order of the ids", () => {
    expect(decodeGeographyCursor({ ...FILTERS, ids: [784, 3, 1] }, encodeGeographyCursor(FILTERS, 3))).toBe(3);
  });

  it.each<[string, GeographyFilters]>([
    ["country", { ...FILTERS, country: "LAT" }],
    ["type", { ...FILTERS, geoType: "admin_level_4" }],
    ["box", { ...FILTERS, bbox: [21, 57, 28, 60.5] }],
    ["name", { ...FILTERS, name: "vald" }],
    ["ids", { ...FILTERS, ids: [1, 3] }],
    ["set of filters", { country: "EST", geoType: "admin_level_2" }],
  ])("of another %s is rejected", (_what, other) => {
    expect(() => decodeGeographyCursor(other, encodeGeographyCursor(FILTERS, 3))).toThrow(REFUSAL);
    expect(() => decodeGeographyCursor(FILTERS, encodeGeographyCursor(other, 3))).toThrow(REFUSAL);
  });

  it("with any character changed is rejected", () => {
    const cursor = encodeGeographyCursor(FILTERS, 784);
    for (let index = 0; index < cursor.length; index++) {
      const changed = cursor.slice(0, index) + (cursor[index] === "B" ? "C" : "B") + cursor.slice(index + 1);
      expect(() => decodeGeographyCursor(FILTERS, changed), changed).toThrow(REFUSAL);
    }
  });

  it.each([
    "",
    "x",
    "_".repeat(22),
    "A".repeat(22),
    `${encodeGeographyCursor(FILTERS, 3)}=`,
    ` ${encodeGeographyCursor(FILTERS, 3)}`,
    "õ".repeat(22),
  ])("that is %j is rejected", (cursor) => {
    expect(() => decodeGeographyCursor(FILTERS, cursor)).toThrow(REFUSAL);
  });
});
