import { describe, expect, it } from "vitest";
import { exportFolder } from "../products/export-folder.ts";
import { browserPath, exportPrefix, manifestName, partPrefix } from "./export-path.ts";

const request = { agg_type: "activities", activity_type: "daily", measure: "sum_unique_people" } as const;
const place = { uid: "u1", jobId: "j", folder: exportFolder(request) };

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
