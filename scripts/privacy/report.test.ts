import { describe, expect, it } from "vitest";
import { parsePrivacyCommand } from "./options.ts";
import { attackRows, isAveragePassed } from "./report.ts";
import { utilityOf } from "./utility.ts";

const FOUND = { considered: 100, shown: 4, recovered: 0, open: 0, wrong: 0 };

describe("the table of attacks", () => {
  it.each([
    ["km less cell, hour", FOUND, true, "within"],
    ["km less cell, hour", { ...FOUND, shown: 6 }, true, "PASSED"],
    ["km less cell, hour", { ...FOUND, shown: 6 }, false, "within"],
    ["km less cell, hour", { ...FOUND, recovered: 1 }, false, "PASSED"],
    ["devices less stays_devices", FOUND, true, "PASSED"],
    ["junctions (drawn, conserved flow)", { ...FOUND, recovered: 4 }, true, "within"],
    ["area less km, hour (strict)", { ...FOUND, shown: 1 }, true, "PASSED"],
    ["day less tick (strict)", FOUND, true, "within"],
    ["hour less tick", { ...FOUND, considered: 0, shown: 0 }, true, "nothing to attack"],
  ])("says of %s with %j and the truth (%j): %s", (name, finding, hasTruth, verdict) => {
    expect(attackRows(new Map([[name, finding]]), hasTruth)).toMatchObject([{ attack: name, verdict }]);
  });

  it("judges averages where at most a tenth of the device-hours is also in told cells", () => {
    const average = { country: "EST", days: 14, alsoInTold: 0.1, auc: 0.61 };
    expect([isAveragePassed(average), isAveragePassed({ ...average, alsoInTold: 0.5 })]).toEqual([true, false]);
  });
});

it("utility is the error of published numbers and the share of people that they have", () => {
  const pairings = [100, 200, 400].map((delivered) => ({ product: "flow", level: "link", delivered, published: delivered + 20 }));
  const withheld = { product: "flow", level: "link", delivered: 50, published: undefined };
  expect(utilityOf([...pairings, withheld])).toEqual([
    { product: "flow", level: "link", rows: 3, people: 700 / 750, typical: 200, median: 0.1, p95: 0.2 },
  ]);
});

describe("the command line", () => {
  it("reads the newest day of every country of the local service", () => {
    expect(parsePrivacyCommand([])).toMatchObject({ country: undefined, days: 1, truth: false, target: { kind: "local" } });
  });

  it.each([
    [["--days", "0"], "--days must be a whole number from 1 to 400"],
    [["--location", "eu"], "--location requires --project"],
    [["--project", "p", "--state", "s"], "--state and --project exclude each other"],
  ])("refuses %j", (args, message) => {
    expect(() => parsePrivacyCommand(args)).toThrow(message);
  });
});
