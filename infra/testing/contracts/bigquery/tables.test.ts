import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BigQuery, Dataset } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

let warehouse: WarehouseUnderTest;
let client: BigQuery;
let dataset: Dataset;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  client = warehouse.client;
  [dataset] = await client.createDataset("facts", { location: "EUROPE-NORTH1", description: "All facts" });
});

afterAll(() => warehouse.close());

const SCHEMA = {
  fields: [
    { name: "id", type: "INT64", mode: "REQUIRED", description: "The id" },
    { name: "day", type: "DATE" },
    {
      name: "cells",
      type: "RECORD",
      mode: "REPEATED",
      fields: [
        { name: "cell", type: "INT64" },
        { name: "weight", type: "FLOAT64" },
      ],
    },
  ],
};

describe("datasets", () => {
  it("are created, described, listed and changed", async () => {
    const [metadata] = await dataset.getMetadata();
    expect(metadata).toMatchObject({
      kind: "bigquery#dataset",
      id: `${PROJECT}:facts`,
      datasetReference: { projectId: PROJECT, datasetId: "facts" },
      location: LOCATION,
      description: "All facts",
    });
    await dataset.setMetadata({ description: "Other facts", labels: { team: "a" } });
    expect((await dataset.getMetadata())[0]).toMatchObject({ description: "Other facts", labels: { team: "a" } });
    const [datasets] = await client.getDatasets();
    expect(datasets.map(({ id }) => id)).toEqual(["facts"]);
  });

  it("are not created twice", async () => {
    await expect(client.createDataset("facts")).rejects.toMatchObject({
      code: 409,
      errors: [{ reason: "duplicate", message: `Already Exists: Dataset ${PROJECT}:facts` }],
    });
  });

  it("are deleted with their tables only with deleteContents", async () => {
    const [old] = await client.createDataset("old");
    await old.createTable("t", { schema: "x:INT64" });
    await expect(old.delete()).rejects.toMatchObject({ code: 400, errors: [{ reason: "resourceInUse" }] });
    await old.delete({ force: true });
    expect(await old.exists()).toEqual([false]);
  });

  it("reject unsupported fields", async () => {
    await expect(client.createDataset("other", { defaultRoundingMode: "ROUND_HALF_EVEN" })).rejects.toMatchObject({
      code: 400,
      errors: [{ reason: "invalid", message: "Unknown or unsupported field: defaultRoundingMode" }],
    });
  });
});

describe("tables", () => {
  it("keep schema, partitioning, clustering, filter rule and description", async () => {
    const [table] = await dataset.createTable("batches", {
      schema: SCHEMA,
      timePartitioning: { type: "DAY", field: "day", expirationMs: "86400000" },
      requirePartitionFilter: true,
      clustering: { fields: ["id"] },
      description: "Batches",
    });
    const [metadata] = await table.getMetadata();
    expect(metadata).toMatchObject({
      kind: "bigquery#table",
      type: "TABLE",
      tableReference: { projectId: PROJECT, datasetId: "facts", tableId: "batches" },
      location: LOCATION,
      timePartitioning: { type: "DAY", field: "day", expirationMs: "86400000" },
      requirePartitionFilter: true,
      clustering: { fields: ["id"] },
      description: "Batches",
      numRows: "0",
      numBytes: "0",
      schema: {
        fields: [
          { name: "id", type: "INTEGER", mode: "REQUIRED", description: "The id" },
          { name: "day", type: "DATE", mode: "NULLABLE" },
          {
            name: "cells",
            type: "RECORD",
            mode: "REPEATED",
            fields: [
              { name: "cell", type: "INTEGER" },
              { name: "weight", type: "FLOAT" },
            ],
          },
        ],
      },
    });
  });

  it("are listed by name and page", async () => {
    const [listed] = await client.createDataset("listed");
    for (const id of ["b", "a", "c"]) await listed.createTable(id, { schema: "x:INT64" });
    const [page, next] = await listed.getTables({ maxResults: 2, autoPaginate: false });
    expect(page.map(({ id }) => id)).toEqual(["a", "b"]);
    const [rest] = await listed.getTables({ ...next, autoPaginate: false });
    expect(rest.map(({ id }) => id)).toEqual(["c"]);
  });

  it("are not created twice, nor in a missing dataset", async () => {
    await dataset.createTable("once", { schema: "x:INT64" });
    await expect(dataset.createTable("once", { schema: "x:INT64" })).rejects.toMatchObject({
      code: 409,
      errors: [{ reason: "duplicate", message: `Already Exists: Table ${PROJECT}:facts.once` }],
    });
    await expect(client.dataset("nowhere").createTable("t", { schema: "x:INT64" })).rejects.toMatchObject({
      code: 404,
      message: `Not found: Dataset ${PROJECT}:nowhere`,
    });
  });

  it("do not exist after a delete", async () => {
    const [table] = await dataset.createTable("gone", { schema: "x:INT64" });
    await table.delete();
    await expect(table.getMetadata()).rejects.toMatchObject({ code: 404, message: `Not found: Table ${PROJECT}:facts.gone` });
    await expect(table.delete()).rejects.toMatchObject({ code: 404 });
  });

  it("reject names and schemas that BigQuery rejects", async () => {
    await expect(dataset.createTable("bad", { schema: "a-b:INT64" })).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining('Invalid field name "a-b"'),
    });
    await expect(dataset.createTable("bad", { schema: "a:INT64,A:STRING" })).rejects.toMatchObject({ code: 400 });
    await expect(dataset.createTable("bad", { schema: "a:WHATEVER" })).rejects.toMatchObject({ code: 400 });
    await expect(dataset.createTable("bad", { schema: "a:INT64", clustering: { fields: ["b"] } })).rejects.toMatchObject({ code: 400 });
  });

  it("return their rows page by page, also nested ones", async () => {
    const [table] = await dataset.createTable("rows", { schema: SCHEMA });
    await table.insert([{ id: 1, day: "2026-01-01", cells: [{ cell: 5, weight: 0.25 }, { cell: 6 }] }, { id: 2 }, { id: 3 }]);
    const [rows, next] = await table.getRows({ maxResults: 2, autoPaginate: false });
    expect(rows).toEqual([
      {
        id: 1,
        day: expect.objectContaining({ value: "2026-01-01" }),
        cells: [
          { cell: 5, weight: 0.25 },
          { cell: 6, weight: null },
        ],
      },
      { id: 2, day: null, cells: [] },
    ]);
    expect((await table.getRows({ ...next, autoPaginate: false }))[0]).toEqual([{ id: 3, day: null, cells: [] }]);
    // Two columns of at least 8 bytes: the ids and one date; two cells of one and two numbers.
    expect((await table.getMetadata())[0]).toMatchObject({ numRows: "3" });
  });

  it("expire at their time, and partitions at theirs", async () => {
    const [table] = await dataset.createTable("hourly", {
      schema: "tick:TIMESTAMP",
      timePartitioning: { type: "HOUR", field: "tick", expirationMs: String(2 * 3_600_000) },
    });
    // The clock of the warehouse starts at 12:00.
    await table.insert([{ tick: "2026-01-15T09:59:00Z" }, { tick: "2026-01-15T10:00:00Z" }]);
    const [brief] = await dataset.createTable("brief", { schema: "x:INT64", expirationTime: String(Date.UTC(2026, 0, 15, 11)) });
    await warehouse.expire();
    expect((await table.getRows())[0]).toHaveLength(1);
    expect(await brief.exists()).toEqual([false]);
  });
});

describe("views", () => {
  it("have the columns of their query and see changes of its tables", async () => {
    const [table] = await dataset.createTable("seen", { schema: "id:INT64,name:STRING" });
    const [view] = await dataset.createTable("names", { view: `SELECT name FROM \`${PROJECT}.facts.seen\`` });
    expect((await view.getMetadata())[0]).toMatchObject({
      type: "VIEW",
      schema: { fields: [{ name: "name", type: "STRING" }] },
      view: { useLegacySql: false },
    });
    await table.insert([{ id: 1, name: "one" }]);
    expect((await client.query("SELECT name FROM facts.names"))[0]).toEqual([{ name: "one" }]);
  });

  it("are not created from an invalid query", async () => {
    await expect(dataset.createTable("broken", { view: `SELECT nowhere FROM \`${PROJECT}.facts.nothing\`` })).rejects.toMatchObject({
      code: 404,
    });
  });
});

it("serves the data of its file after a restart", async () => {
  const dataDirectory = join(tmpdir(), `populus-${randomUUID()}`);
  const ddl = `CREATE SCHEMA kept OPTIONS (location = '${LOCATION}'); CREATE TABLE kept.t (id INT64 NOT NULL, day DATE) PARTITION BY day`;
  const first = await startWarehouseUnderTest({ dataDirectory, ddl });
  await first.client
    .dataset("kept")
    .table("t")
    .insert([{ id: 7, day: "2026-01-01" }]);
  await first.close();
  const second = await startWarehouseUnderTest({ dataDirectory });
  try {
    expect((await second.client.dataset("kept").table("t").getMetadata())[0]).toMatchObject({
      numRows: "1",
      timePartitioning: { field: "day" },
    });
    expect((await second.client.query("SELECT id FROM kept.t"))[0]).toEqual([{ id: 7 }]);
  } finally {
    await second.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
});
