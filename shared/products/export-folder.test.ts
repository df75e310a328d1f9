import { describe, expect, it } from "vitest";
import { exportFolder, isFolderSafe } from "./export-folder.ts";

describe("an export's folder", () => {
  it("has a name of product, bucket and measure", () => {
    const folder = exportFolder({ agg_type: "activities", activity_type: "daily", measure: "sum_unique_people" });
    expect(folder).toBe("activities_daily_sum_unique_people");
  });
});

describe("a measure", () => {
  it.each(["trips", "a", `a${"b".repeat(63)}`])("%s can name a folder", (measure) => {
    expect(isFolderSafe(measure)).toBe(true);
  });

  it.each(["", "../x", "a/b", "A", "1a", "a b", "a.b", `a${"b".repeat(64)}`, "a\n"])("%j cannot", (measure) => {
    expect(isFolderSafe(measure)).toBe(false);
  });
});
