import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { Column } from "../google/columns.ts";
import { gunzipped } from "../google/gunzipped.ts";
import type { LandingBucket } from "../google/landing-bucket.ts";
import { BadBatch } from "./batch-fault.ts";
import { headerOf } from "./header.ts";

const COLUMNS: readonly Column[] = ["link_id", "devices"].map((name) => ({ name, type: "INT64", required: true }));

/** Returns the names of the columns that a file has, or the faults of its batch. */
async function headerOfFile(content: string | Buffer, name = "part.csv"): Promise<unknown> {
  const unused = async (): Promise<never> => {
    throw new Error("not called");
  };
  const read = (of: string) =>
    of.endsWith(".gz") ? gunzipped(Readable.from([Buffer.from(content)])) : Readable.from([Buffer.from(content)]);
  const bucket: LandingBucket = { name: "landing", list: unused, read, writeJson: unused, move: unused };
  const file = { name: `landing/flows_hourly/EST/2026-03-01/${name}`, generation: "1", size: 1, crc32c: "", createdAt: "" };
  try {
    return (await headerOf(bucket, [file], COLUMNS, ["link_id", "devices"])).map((column) => column.name);
  } catch (error) {
    if (error instanceof BadBatch) return error.faults;
    throw error;
  }
}

it("a header may differ from the table's columns in letter case and blanks", async () => {
  expect(await headerOfFile("Devices, LINK_ID \n1,2\n")).toEqual(["devices", "link_id"]);
});

it.each([
  ["lone carriage returns", "link_id,devices\r1,2\r", "has a carriage return without a line feed", "lines that end in a line feed"],
  [
    "a line without an end",
    `link_id,devices,${"x".repeat(1_000_001)}`,
    "A line has more than 1,000,000 characters",
    "lines that end in a line feed",
  ],
])("%s are told as a fault of the file, which no further delivery would read", async (_, content, says, right) => {
  expect(await headerOfFile(content)).toEqual([{ file: "part.csv", line: 1, says, right }]);
});

it("a file that is no gzip, or a part of one, is told by its name", async () => {
  const whole = gzipSync("link_id,devices\n1,2\n");
  const right = "a whole gzip file, or one without .gz in its name";
  for (const [content, why] of [
    ["link_id,devices\n1,2\n", "incorrect header check"],
    [whole.subarray(0, 15), "unexpected end of file"],
  ] as const)
    expect(await headerOfFile(content, "part.csv.gz")).toEqual([
      { file: "part.csv.gz", line: 1, says: `is a corrupt gzip file: ${why}`, right },
    ]);
});
