import { describe, expect, it } from "vitest";
import { keepRecent } from "./keep-recent.ts";

describe("a map of recent entries", () => {
  it("drops the entry that was set longest ago beyond its limit", () => {
    const map = new Map<string, number>();
    for (const [index, key] of ["a", "b", "c"].entries()) keepRecent(map, key, index, 2);
    expect([...map]).toEqual([
      ["b", 1],
      ["c", 2],
    ]);
  });

  it("takes an entry that is set again for a recent one", () => {
    const map = new Map<string, number>();
    for (const [index, key] of ["a", "b", "a", "c"].entries()) keepRecent(map, key, index, 2);
    expect([...map]).toEqual([
      ["a", 2],
      ["c", 3],
    ]);
  });
});
