import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ExportSink } from "../export/sink.ts";
import { ByteEstimates } from "../warehouse/bytes.ts";
import { MetadataCatalog } from "../warehouse/catalog.ts";
import { Database } from "../warehouse/database.ts";
import { Definitions } from "../warehouse/definitions.ts";
import { DirectConnections } from "../warehouse/direct-connections.ts";
import { HeldTables } from "../warehouse/held-tables.ts";
import { Locks } from "../warehouse/locks.ts";
import { StreamingBuffer } from "../warehouse/streaming-buffer.ts";
import { Job, queryStatistics } from "./job.ts";
import { JobStore } from "./job-store.ts";
import { Planner } from "./plan.ts";
import type { QueryEngine } from "./query-engine.ts";
import { queryParameters } from "./query-parameters.ts";
import { ResultStore } from "./results.ts";
import { runQuery } from "./run-query.ts";

const NOW = Date.UTC(2026, 0, 15);
const ROWS = 1000;

let folder: string;
let database: Database;
let engine: QueryEngine;
let exported: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "populus-planned-test-"));
  database = await Database.open({ path: ":memory:", tempDir: folder, folders: [folder], connections: 2, memoryLimit: "256MB" });
  const now = () => NOW;
  const catalog = await database.use((connection) => MetadataCatalog.open(connection, "p"));
  const estimates = new ByteEstimates(catalog, new DirectConnections(database), database.threads);
  const results = new ResultStore(folder);
  exported = join(folder, "exported");
  const sink: ExportSink = {
    create: async () => ({ path: exported, commit: async () => undefined, abort: () => undefined }),
    list: () => ({ items: [] }),
    delete: async () => undefined,
    read: () => ({ path: exported }),
  };
  engine = {
    database,
    catalog,
    definitions: new Definitions(catalog, estimates, now),
    estimates,
    locks: new Locks(),
    held: new HeldTables(),
    jobs: new JobStore(results, now),
    persistence: undefined,
    results,
    sink,
    streamed: await StreamingBuffer.open(database, catalog),
    landingBucket: undefined,
    tempDir: folder,
    uploads: folder,
    now,
    changed: () => undefined,
  };
  await run("CREATE SCHEMA facts OPTIONS (location = 'EU')");
  for (const table of ["given", "taken"]) await run(`CREATE TABLE facts.${table} (id INT64)`);
  await run(`INSERT INTO facts.given (id) SELECT id FROM UNNEST(GENERATE_ARRAY(0, ${ROWS - 1})) AS id`);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Runs a query. `planned` is called whenever a statement of it has been planned, before it runs. */
async function run(sql: string, planned: () => Promise<unknown> = async () => undefined): Promise<Job> {
  const { types, values } = queryParameters([]);
  const plan = new Planner(engine).plan({
    sql,
    parameterTypes: types,
    defaultDataset: undefined,
    location: "EU",
    role: { kind: "operator" },
    email: "a@b",
  });
  const statistics = queryStatistics(plan.statementType, plan.referencedTables);
  const job = new Job({
    reference: { project: "p", id: "job", location: "EU" },
    owner: "a@b",
    work: { kind: "QUERY", configuration: {}, statistics },
    labels: {},
    creationTime: NOW,
  });
  const prepare: typeof values.prepare = async (connection, text) => {
    const prepared = await values.prepare(connection, text);
    await planned();
    return prepared;
  };
  await runQuery(engine, { job, statistics, plan, values: { ...values, prepare }, maximumBytesBilled: undefined });
  return job;
}

/** Commits a row that no query here matches, and that is beyond what the table's statistics said when a plan was made. */
const addOther = (): Promise<unknown> => database.use((connection) => connection.run(`INSERT INTO facts.given VALUES (${10 * ROWS})`));
const MATCHING = `SELECT id FROM facts.given WHERE id < ${ROWS}`;

async function counted(sql: string): Promise<number> {
  const reader = await database.use((connection) => connection.runAndReadAll(sql));
  return Number(reader.getRows()[0]?.[0]);
}

it("a query does not return a row that was committed once it was planned and that does not match", async () => {
  expect((await run(MATCHING, addOther)).result?.totalRows).toBe(ROWS);
});

it("a change does not write such a row", async () => {
  await run(`INSERT INTO facts.taken (id) ${MATCHING}`, addOther);
  expect(await counted("SELECT count(*) FROM facts.taken")).toBe(ROWS);
});

it("an export does not write such a row", async () => {
  const options = "uri = 'gs://b/f*.csv', format = 'CSV', header = FALSE";
  await run(`EXPORT DATA OPTIONS (${options}) AS ${MATCHING}`, addOther);
  expect(await counted(`SELECT count(*) FROM read_csv('${exported}')`)).toBe(ROWS);
});

it("a table is not made with such a row", async () => {
  await run(`CREATE TABLE facts.made AS ${MATCHING}`, addOther);
  expect(await counted("SELECT count(*) FROM facts.made")).toBe(ROWS);
});
