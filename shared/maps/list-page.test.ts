import { expect, it } from "vitest";
import { fittingCount } from "./list-page.ts";

/** A map of this many bytes as JSON, with its comma. */
const sized = (bytes: number) => ({ geometry: "x".repeat(bytes - '{"geometry":""},'.length) });

it.each([
  ["has as many maps as there are", [100, 100], 10, 1000, 2],
  ["has as many maps as are asked for", [100, 100, 100], 2, 1000, 2],
  ["ends where the next map would exceed the bytes", [400, 400, 400], 10, 1000, 2],
  ["may have exactly the bytes", [500, 500, 100], 10, 1000, 2],
  ["has at least one map", [5000, 100], 10, 1000, 1],
  ["may be empty", [], 10, 1000, 0],
])("a page of maps %s", (_what, sizes, limit, bytesMax, count) => {
  expect(fittingCount(sizes.map(sized), limit, bytesMax)).toBe(count);
});

it("counts bytes, not characters, of which 8 MiB fit", () => {
  const map = { name: "õ".repeat(512 * 1024 - 8) };
  expect(
    fittingCount(
      Array.from({ length: 10 }, () => map),
      100,
    ),
  ).toBe(8);
});
