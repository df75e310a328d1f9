import { describe, expect, it } from "vitest";
import { jsonDifference } from "./json-shape.ts";
import { textDifference } from "./shape.ts";

const SHOWN = `Ready after 4.2 s

  Users API  http://127.0.0.1:8080
  name                  bytes
  --------------------  -----
  manifest.json          1299
  169 rows in total, 119 withheld
Nothing was loaded`;

describe("shown text", () => {
  it.each([
    [
      "other numbers, ports and blanks",
      "Ready after 11 s\nUsers API http://127.0.0.1:33001",
      "Ready after 4.2 s\n\n  Users API  http://127.0.0.1:8080\n",
    ],
    ["other rows of a table", SHOWN, SHOWN.replace("1299", "   7\n  part-1                63187")],
    ["other ids and times", "uid bnr2carrygqi at 2026-11-21 20:53Z", "uid iq7uz7d3bsbg at 2026-12-01 00:00Z"],
    ["another cursor", "next MjAyNi0xMS0xOVQxMTo1MDowMC4wMDBaIFNVQ0NFU1M", "next MjAyNi0xMS0yMFQxMTo1MDowMC4wMDBaIFNVQ0NFU1M"],
    ["any lines for …", "a\n…\nz", "a\nb\nc\nz"],
    ["further lines for … at the end", "a\n…", "a\nb\nc"],
    ["any words for … in a line", "job … → completed 100 %", "job queued 0 % → running 7 % → completed 100 %"],
  ])("is like real text with %s", (_what, shown, actual) => {
    expect(textDifference(shown, actual)).toBeUndefined();
  });

  it.each([
    ["another word", SHOWN, SHOWN.replace("Nothing", "Something"), /Nothing was loaded\n {2}actual: Something was loaded/],
    ["a missing line", SHOWN, SHOWN.replace("Nothing was loaded", ""), /no such line/],
    ["a further line", SHOWN, `${SHOWN}\nDone`, /continues: Done/],
    ["another column", SHOWN, SHOWN.replace("bytes", "size "), /name bytes\n {2}actual: name size/],
    ["a table without rows", SHOWN, SHOWN.replace(/\n {2}manifest.*/, ""), /row of 2 columns/],
    ["a line that is not there after …", "a\n…\nz", "a\nb", /shown: {2}z/],
  ])("is not like real text with %s", (_what, shown, actual, difference) => {
    expect(textDifference(shown, actual)).toMatch(difference);
  });
});

describe("shown JSON", () => {
  const JOB = { job_id: "858e39c5-…", status: "queued", files: [{ name: "part-1-000000000000.csv.gz", size: 28487 }], cursor: null };
  const REAL = { ...JOB, job_id: "60a2518d-3db0-4fd5-a54f-69d12e08604f" };

  it.each([
    ["other ids and numbers", JOB, { ...REAL, files: [{ name: "part-2-000000000001.csv.gz", size: 1 }, ...JOB.files] }],
    ["further members for …", { status: "queued", "…": "…" }, REAL],
    ["further elements for …", ["a", "…"], ["a", "b"]],
    ["any text for …", { detail: "…" }, { detail: "anything" }],
    ["a text that goes on for …", { detail: "must be one of …" }, { detail: "must be one of a, b" }],
  ])("is like real JSON with %s", (_what, shown, actual) => {
    expect(jsonDifference(shown, actual)).toBeUndefined();
  });

  it.each([
    ["a renamed member", JOB, { ...REAL, status: undefined, state: "queued" }, /\$\.status|also has a member state/],
    ["a further member", JOB, { ...REAL, progress: 0 }, /also has a member progress/],
    ["another type", JOB, { ...REAL, cursor: "next" }, /\$\.cursor is shown as null, but is string/],
    ["another text", JOB, { ...REAL, status: "running" }, /\$\.status is shown as "queued", but is "running"/],
    ["another flag", { full: true }, { full: false }, /\$\.full/],
    ["an empty list", JOB, { ...REAL, files: [] }, /\$\.files is empty/],
    ["an element of another form", JOB, { ...REAL, files: [...JOB.files, { name: "a" }] }, /\$\.files\[1\] is like no shown element/],
  ])("is not like real JSON with %s", (_what, shown, actual, difference) => {
    expect(jsonDifference(shown, actual)).toMatch(difference);
  });
});
