import { describe, expect, it } from "vitest";
import { browserPath, exportFolder, exportPrefix, isFolderSafe, manifestName, partPrefix } from "./export-path.ts";

const place = { uid: "u1", jobId: "j", folder: exportFolder("activities", "daily", "sum_unique_people") };

describe("an export's place", () => {
  it("is built from product, bucket and measure below the customer's own folder", () => {
    expect(exportPrefix(place)).toBe("results/u1/j/activities_daily_sum_unique_people/");
    expect(partPrefix(place, 2)).toBe("results/u1/j/activities_daily_sum_unique_people/part-2-");
    expect(manifestName(place)).toBe("results/u1/j/activities_daily_sum_unique_people/manifest.json");
    expect(browserPath("b", place)).toBe(
      "https://console.cloud.google.com/storage/browser/b/results/u1/j/activities_daily_sum_unique_people",
    );
  });

  it("of one customer is never below another's", () => {
    expect(exportPrefix({ ...place, uid: "u10" }).startsWith("results/u1/")).toBe(false);
  });
});

describe("a measure", () => {
  it.each(["trips", "a", `a${"b".repeat(63)}`])("%s may name a folder", (measure) => {
    expect(isFolderSafe(measure)).toBe(true);
  });

  it.each(["", "../x", "a/b", "A", "1a", "a b", "a.b", `a${"b".repeat(64)}`, "a\n"])("%j may not", (measure) => {
    expect(isFolderSafe(measure)).toBe(false);
  });
});
