import { describe, expect, it } from "vitest";
import { exportFolder } from "../products/export-folder.ts";
import { browserPath, exportPrefix, manifestName, partPrefix } from "./export-path.ts";

const request = { agg_type: "activities", activity_type: "daily", measure: "sum_unique_people" } as const;
const location = { uid: "u1", jobId: "j", folder: exportFolder(request) };

describe("an export's location", () => {
  it("is built from product, bucket and measure below the customer's own folder", () => {
    expect(exportPrefix(location)).toBe("results/u1/j/activities_daily_sum_unique_people/");
    expect(partPrefix(location, 2)).toBe("results/u1/j/activities_daily_sum_unique_people/part-2-");
    expect(manifestName(location)).toBe("results/u1/j/activities_daily_sum_unique_people/manifest.json");
    expect(browserPath("b", location)).toBe(
      "https://console.cloud.google.com/storage/browser/b/results/u1/j/activities_daily_sum_unique_people",
    );
  });

  it("is never below another customer's folder", () => {
    expect(exportPrefix({ ...location, uid: "u10" }).startsWith("results/u1/")).toBe(false);
  });
});
