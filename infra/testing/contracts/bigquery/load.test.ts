import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { BigQuery, Job, Table } from "@google-cloud/bigquery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;
let table: Table;
let made = 0;
const SCHEMA = [
  { name: "id", type: "INTEGER", mode: "REQUIRED" },
  { name: "name", type: "STRING" },
  { name: "day", type: "DATE" },
  { name: "share", type: "FLOAT" },
];

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ ddl: `CREATE SCHEMA stage OPTIONS (location = '${LOCATION}')` });
  client = warehouse.client;
});

beforeEach(async () => {
  made += 1;
  [table] = await client.dataset("stage").createTable(`t${made}`, { schema: SCHEMA });
  await table.insert([{ id: 100, name: "old" }]);
});

afterAll(() => warehouse.close());

/** Uploads content with the real client. Returns the job's metadata when it is finished, however it ended. */
async function load(
  content: string | Buffer,
  metadata: object,
  target: Table = table,
): Promise<{ job: Job; metadata: Record<string, never> & Job["metadata"] }> {
  const started = await new Promise<Job>((resolve, reject) => {
    target.createWriteStream(metadata).once("job", resolve).on("error", reject).end(content);
  });
  await started.promise().catch(() => undefined);
  return { job: started, metadata: (await started.getMetadata())[0] };
}

async function rows(of: Table = table): Promise<unknown[]> {
  const [all] = await of.getRows();
  return all.map(({ id, name, day, share }) => [id, name, day?.value ?? null, share]);
}

const OLD = [100, "old", null, null];

describe("CSV", () => {
  it("is appended, with quotes, nulls and a skipped header", async () => {
    const csv = 'id,name,day,share\n1,"a ""b"", c",2026-01-01,0.5\n2,,,\n3,"",2026-01-03,1e3\n';
    const { metadata } = await load(csv, { sourceFormat: "CSV", skipLeadingRows: 1 });
    expect(metadata.status).toEqual({ state: "DONE" });
    expect(metadata.statistics.load).toMatchObject({ inputFiles: "1", inputFileBytes: String(csv.length), outputRows: "3" });
    expect(await rows()).toEqual([OLD, [1, 'a "b", c', "2026-01-01", 0.5], [2, null, null, null], [3, "", "2026-01-03", 1000]]);
  });

  it("refuses a gzip file that is cut off as `invalid`, like other bad content", async () => {
    const { metadata } = await load(gzipSync("1,a,,\n").subarray(0, 12), { sourceFormat: "CSV" });
    expect(metadata.status.errorResult).toMatchObject({ reason: "invalid", message: expect.stringContaining("decompress") });
  });

  it("accepts another delimiter, null marker and line ending, and gzip", async () => {
    await load(gzipSync("1;NIL;NIL;NIL\r\n2;b;2026-01-02;NIL\r\n"), { sourceFormat: "CSV", fieldDelimiter: ";", nullMarker: "NIL" });
    expect(await rows()).toEqual([OLD, [1, null, null, null], [2, "b", "2026-01-02", null]]);
  });

  it("keeps newlines inside quotes if they are allowed, else rejects them", async () => {
    const csv = '1,"two\nlines",,\n';
    const refused = await load(csv, { sourceFormat: "CSV" });
    expect(refused.metadata.status.state).toBe("DONE");
    expect(refused.metadata.status.errorResult).toMatchObject({ reason: "invalid" });
    await load(csv, { sourceFormat: "CSV", allowQuotedNewlines: true });
    expect(await rows()).toEqual([OLD, [1, "two\nlines", null, null]]);
  });

  it.each([
    [
      "a bad number",
      "1,a,,\nx,b,,\n",
      'Unable to parse; line_number: 2 byte_offset_to_start_of_line: 6 column_index: 0 column_name: "id" column_type: INT64 value: "x"',
    ],
    ["a fraction in an integer", "1.5,a,,\n", 'column_name: "id" column_type: INT64 value: "1.5"'],
    [
      "a bad date",
      '1,"é\n",2026-01-01,\n2,b,2026-02-30,\n',
      'line_number: 2 byte_offset_to_start_of_line: 20 column_index: 2 column_name: "day" column_type: DATE value: "2026-02-30"',
    ],
    [
      "a missing required value",
      "1,a,,\n,b,,\n",
      'Required column value is missing; line_number: 2 byte_offset_to_start_of_line: 6 column_index: 0 column_name: "id"',
    ],
    ["too few columns", "1,a,,\n2,b\n", "CSV table references column position 2, but line contains only 2 columns.; line_number: 2"],
    ["too many columns", "1,a,,,5\n", "Too many values in line. Found 5 column(s) while expected 4.; line_number: 1"],
    ["an open quote", '1,a,,\n2,"b"x,,\n', "line_number: 2"],
  ])("with %s leaves the table unchanged and reports the position", async (_, csv, message) => {
    const { metadata } = await load(csv, { sourceFormat: "CSV", allowQuotedNewlines: true });
    expect(metadata.status).toMatchObject({
      state: "DONE",
      errorResult: { reason: "invalid", message: expect.stringContaining("CSV table encountered too many errors, giving up.") },
      errors: [{ reason: "invalid" }, { reason: "invalid", message: expect.stringContaining(message) }],
    });
    expect(await rows()).toEqual([OLD]);
  });
});

describe("newline-delimited JSON", () => {
  it("is appended, with nested and repeated values", async () => {
    const schema = {
      fields: [
        { name: "id", type: "INT64" },
        {
          name: "cells",
          type: "RECORD",
          mode: "REPEATED",
          fields: [
            { name: "cell", type: "INT64" },
            { name: "weight", type: "FLOAT64" },
          ],
        },
        { name: "seen_at", type: "TIMESTAMP" },
      ],
    };
    const target = client.dataset("stage").table("nested");
    await load(
      '{"id":"1","cells":[{"cell":5,"weight":0.5}],"seen_at":"2026-01-01T00:00:00.5+02:00"}\n\n{"id":2}\n',
      { sourceFormat: "NEWLINE_DELIMITED_JSON", schema },
      target,
    );
    expect((await target.getRows())[0]).toEqual([
      { id: 1, cells: [{ cell: 5, weight: 0.5 }], seen_at: expect.objectContaining({ value: "2025-12-31T22:00:00.500Z" }) },
      { id: 2, cells: [], seen_at: null },
    ]);
  });

  it.each([
    ["invalid JSON", '{"id":1}\n{"id":\n', "row starting at position 9"],
    ["an unknown field", '{"id":1,"nope":2}\n', "row starting at position 0: no such field: nope. Field: nope"],
    ["a bad value", '{"id":1}\n{"id":"x"}\n', "Field: id"],
  ])("with %s leaves the table unchanged and reports the position", async (_, json, message) => {
    const { metadata } = await load(json, { sourceFormat: "NEWLINE_DELIMITED_JSON" });
    expect(metadata.status.errors).toEqual([
      expect.objectContaining({ reason: "invalid", message: expect.stringContaining("JSON table encountered too many errors") }),
      expect.objectContaining({ reason: "invalid", message: expect.stringContaining(message) }),
    ]);
    expect(await rows()).toEqual([OLD]);
  });
});

describe("Parquet", () => {
  async function parquet(sql: string): Promise<Buffer> {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const { readFile } = await import("node:fs/promises");
    const file = join(tmpdir(), `${randomUUID()}.parquet`);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(`COPY (${sql}) TO '${file}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
    const content = await readFile(file);
    await rm(file);
    return content;
  }

  it("is appended by the names of its columns", async () => {
    await load(await parquet("SELECT DATE '2026-01-05' AS day, 5::INTEGER AS id, 'five' AS name"), { sourceFormat: "PARQUET" });
    expect(await rows()).toEqual([OLD, [5, "five", "2026-01-05", null]]);
  });

  it.each([
    ["another type", "SELECT 'x' AS id", "Parquet column 'id' has type STRING which does not match the target type INT64."],
    ["an unknown column", "SELECT 1 AS id, 2 AS nope", "Cannot add fields (field: nope)"],
    ["a required column missing", "SELECT 'x' AS name", "Field id is missing"],
  ])("with %s is rejected", async (_, sql, message) => {
    const { metadata } = await load(await parquet(sql), { sourceFormat: "PARQUET" });
    expect(metadata.status.errorResult).toMatchObject({ reason: "invalid", message: expect.stringContaining(message) });
    expect(await rows()).toEqual([OLD]);
  });

  it.each([
    ["is none", Buffer.from(`PAR1${"x".repeat(200)}PAR1`)],
    ["is empty", Buffer.alloc(0)],
  ])("that %s is rejected as the file's fault", async (_, content) => {
    const { metadata } = await load(content, { sourceFormat: "PARQUET" });
    const message = "Error while reading data, error message: Input file is not in Parquet format.";
    expect(metadata.status.errorResult).toEqual({ reason: "invalid", message });
    expect(await rows()).toEqual([OLD]);
  });

  it("with a null in a required column is rejected as the file's fault", async () => {
    const { metadata } = await load(await parquet("SELECT NULL::INTEGER AS id"), { sourceFormat: "PARQUET" });
    expect(metadata.status.errorResult).toMatchObject({
      reason: "invalid",
      message: expect.stringContaining("Required field id cannot be null"),
    });
    expect(await rows()).toEqual([OLD]);
  });
});

describe("dispositions", () => {
  it("WRITE_TRUNCATE replaces the rows, and keeps them if the load fails", async () => {
    const truncate = { sourceFormat: "CSV", writeDisposition: "WRITE_TRUNCATE" };
    await load("x,a,,\n", truncate);
    expect(await rows()).toEqual([OLD]);
    await load("1,a,,\n", truncate);
    expect(await rows()).toEqual([[1, "a", null, null]]);
  });

  it("WRITE_EMPTY rejects a table with rows", async () => {
    const { metadata } = await load("1,a,,\n", { sourceFormat: "CSV", writeDisposition: "WRITE_EMPTY" });
    expect(metadata.status.errorResult).toEqual({ reason: "duplicate", message: `Already Exists: Table ${PROJECT}:stage.${table.id}` });
  });

  it("CREATE_NEVER rejects a missing table; without it the table is created from the schema", async () => {
    const target = client.dataset("stage").table("made");
    const options = { sourceFormat: "CSV", schema: { fields: SCHEMA }, timePartitioning: { type: "DAY", field: "day" } };
    const refused = await load("1,a,,\n", { ...options, createDisposition: "CREATE_NEVER" }, target);
    expect(refused.metadata.status.errorResult).toMatchObject({ reason: "notFound" });
    await load("1,a,,\n", options, target);
    expect(await rows(target)).toEqual([[1, "a", null, null]]);
    expect((await target.getMetadata())[0]).toMatchObject({ timePartitioning: { type: "DAY", field: "day" } });
  });

  it("needs a schema for a new table", async () => {
    const { metadata } = await load("1,a\n", { sourceFormat: "CSV", autodetect: true }, client.dataset("stage").table("guess"));
    expect(metadata.status.errorResult).toMatchObject({ reason: "invalid", message: expect.stringContaining("auto-detection") });
  });

  it("rejects a schema that differs from the table's", async () => {
    const { metadata } = await load("1\n", { sourceFormat: "CSV", schema: { fields: [{ name: "id", type: "STRING" }] } });
    expect(metadata.status.errorResult).toMatchObject({
      message: expect.stringContaining("Field id has changed type from INT64 to STRING"),
    });
  });
});

it("runs under the given id, once", async () => {
  await load("1,a,,\n", { sourceFormat: "CSV", jobId: "tick_1" });
  await expect(load("1,a,,\n", { sourceFormat: "CSV", jobId: "tick_1" })).rejects.toMatchObject({ code: 409 });
  expect(await rows()).toHaveLength(2);
});

it("loads a file by its path", async () => {
  const file = join(tmpdir(), `${randomUUID()}.csv`);
  await writeFile(file, "1,a,,\n");
  const [job] = await table.createLoadJob(file, {});
  await job.promise();
  await rm(file);
  expect(await rows()).toHaveLength(2);
});

it("accepts megabytes in one upload", async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index},name ${index},2026-01-01,${index / 2}\n`);
  const { metadata } = await load(lines.join(""), { sourceFormat: "CSV", writeDisposition: "WRITE_TRUNCATE" });
  expect(metadata.statistics.load.outputRows).toBe("200000");
});

it("rejects options that it would have to ignore", async () => {
  await expect(load("1\n", { sourceFormat: "CSV", maxBadRecords: 3 })).rejects.toMatchObject({ code: 400 });
  await expect(load("1\n", { sourceFormat: "AVRO" })).rejects.toMatchObject({ code: 400 });
});
