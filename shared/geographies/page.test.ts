import { describe, expect, it } from "vitest";
import { firstPage } from "./page.ts";

/** Returns rows 1, 2, … with geometries of these lengths. */
function rows(...lengths: (number | null)[]) {
  return lengths.map((length, index) => ({
    geo_id: index + 1,
    geo_name: "",
    lon: 0,
    lat: 0,
    geometry: length === null ? null : "x".repeat(length),
  }));
}

describe("a page", () => {
  it.each([
    ["nothing", rows(), 2, [], undefined],
    ["fewer than the limit", rows(1), 2, [1], undefined],
    ["exactly the limit", rows(1, 1), 2, [1, 2], undefined],
    ["more than the limit", rows(1, 1, 1), 2, [1, 2], 2],
    ["exactly as much geometry as fits", rows(4, null, 6), 5, [1, 2, 3], undefined],
    ["more geometry than fits", rows(4, 6, 1), 5, [1, 2], 2],
    ["a first row with more geometry than fits", rows(11, null, 1), 5, [1], 1],
  ])("of %s", (_what, given, limit, ids, nextAfter) => {
    const page = firstPage(given, limit, 10);
    expect(page.rows.map(({ geo_id }) => geo_id)).toEqual(ids);
    expect(page.nextAfter).toBe(nextAfter);
  });
});
