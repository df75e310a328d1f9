import { expect, it } from "vitest";
import { folderLines, summaryOf } from "./report.ts";

const result = { folder: "terraform/customers", passed: 7, failed: 0, faults: [], planned: undefined };

it("a run says with what it ran, and that it is no apply", () => {
  const run = { title: "the schema of Google's provider 6.50.0", results: [result, { ...result, passed: 1, failed: 2 }] };
  const { passed, failed, lines } = summaryOf(run);
  expect([passed, failed]).toEqual([8, 2]);
  expect(lines.join("\n")).toMatch(/^Ran with the schema of Google's provider 6\.50\.0: 2 folders of Terraform\. It is no apply/);
});

it("what did not run is said in words, and counts nothing", () => {
  expect(summaryOf({ missing: "Google's provider is not here" })).toEqual({
    passed: 0,
    failed: 0,
    lines: ["Not run: the tests of Terraform's roots and of modules with a provider, because Google's provider is not here"],
  });
});

it("a folder's faults are below it", () => {
  expect(folderLines({ ...result, failed: 1, faults: ["a bucket is never public, but: b"], planned: 507 })).toEqual([
    "— terraform/customers: 7 passed, 1 failed, 507 resources planned",
    "   a bucket is never public, but: b",
  ]);
});
