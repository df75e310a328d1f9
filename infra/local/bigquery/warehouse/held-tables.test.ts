import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../../testing/engines/warehouse-under-test.ts";
import type { TableRef } from "../model.ts";
import { HeldTables } from "./held-tables.ts";

const HOLDING = { tables: ["mobility.flows", "mobility.trips"], ledgers: ["mobility.batches"], by: "table_name" };
const FLOWS = "`mobility.flows`";

let warehouse: WarehouseUnderTest;

const ref = (table: string): TableRef => ({ project: "demo-local", dataset: "mobility", table });

async function rows(sql: string): Promise<unknown[]> {
  const [found] = await warehouse.client.query(sql);
  return found;
}

/** Fills a table as the process itself does, and releases it. */
async function fill(table: string): Promise<void> {
  const connection = await warehouse.connection();
  await connection.run(`INSERT INTO mobility.${table} VALUES (1), (2)`);
  await connection.run(`INSERT INTO mobility.batches VALUES ('${table}', 1)`);
  connection.closeSync();
  warehouse.release([`mobility.${table}`]);
}

async function startJob(query: string) {
  const [job] = await warehouse.client.createQueryJob({ query });
  return {
    result: async () => (await job.getQueryResults())[0],
    state: async () => (await job.getMetadata())[0].status.state,
    cancel: () => job.cancel(),
  };
}

describe("while a table is held", () => {
  beforeEach(async () => {
    warehouse = await startWarehouseUnderTest({
      holding: HOLDING,
      ddl: `CREATE SCHEMA mobility OPTIONS (location = 'europe-north1');
        CREATE TABLE mobility.flows (link INT64);
        CREATE TABLE mobility.trips (origin INT64);
        CREATE TABLE mobility.links (link INT64);
        CREATE TABLE mobility.batches (table_name STRING, version INT64);
        CREATE VIEW mobility.busy AS SELECT link FROM ${FLOWS}`,
    });
  });

  afterEach(() => warehouse.close());

  it.each([
    ["a query", `SELECT COUNT(*) AS n FROM ${FLOWS}`],
    ["a query of a view", "SELECT COUNT(*) AS n FROM `mobility.busy`"],
    ["a query of the ledger that names the table", "SELECT COUNT(*) * 2 AS n FROM `mobility.batches` WHERE table_name = 'flows'"],
    [
      "a subquery of the ledger",
      `SELECT 2 AS n FROM (SELECT version FROM \`mobility.batches\` WHERE table_name IN ('flows')) WHERE version = 1`,
    ],
  ])("%s waits for all its rows", async (_what, query) => {
    const job = await startJob(query);
    // Others overtake it.
    expect(await rows("SELECT COUNT(*) AS n FROM `mobility.links`")).toEqual([{ n: 0 }]);
    expect(await job.state()).toBe("PENDING");
    await fill("flows");
    expect(await job.result()).toEqual([{ n: 2 }]);
  });

  it("a query of the whole ledger waits for all tables", async () => {
    const job = await startJob("SELECT COUNT(*) AS n FROM `mobility.batches` WHERE version = 1 OR table_name = 'flows'");
    await fill("flows");
    expect(await rows(`SELECT COUNT(*) AS n FROM ${FLOWS}`)).toEqual([{ n: 2 }]);
    expect(await job.state()).toBe("PENDING");
    await fill("trips");
    expect(await job.result()).toEqual([{ n: 2 }]);
  });

  it("a change, a dry run and the table's description wait too", async () => {
    const table = warehouse.client.dataset("mobility").table("flows");
    const waiting = Promise.all([
      warehouse.client.query(`UPDATE ${FLOWS} SET link = 7 WHERE link = 2`),
      warehouse.client
        .createQueryJob({ query: `SELECT link FROM ${FLOWS}`, dryRun: true })
        .then(([job]) => job.metadata.statistics.totalBytesProcessed),
      table.getMetadata().then(([metadata]) => metadata.numRows),
      table.getRows().then(([found]) => found.length),
    ]);
    await rows("SELECT 1 AS one");
    await fill("flows");
    const [, bytes, described, listed] = await waiting;
    expect([bytes, described, listed]).toEqual(["16", "2", 2]);
    expect(await rows(`SELECT link FROM ${FLOWS} ORDER BY link`)).toEqual([{ link: 1 }, { link: 7 }]);
  });

  it("a job that waits can be cancelled, and later readers still wait", async () => {
    const job = await startJob(`SELECT COUNT(*) AS n FROM ${FLOWS}`);
    await job.cancel();
    await expect(job.result()).rejects.toThrow(/cancel/i);
    const later = await startJob(`SELECT COUNT(*) AS n FROM ${FLOWS}`);
    await fill("flows");
    expect(await later.result()).toEqual([{ n: 2 }]);
  });
});

describe("what a statement must wait for", () => {
  const held = new HeldTables(HOLDING);

  it.each([
    ["nothing if its tables are not held", [{ ref: ref("links") }], [], []],
    ["its tables", [{ ref: ref("links") }, { ref: ref("trips") }], [ref("flows")], HOLDING.tables.toReversed()],
    [
      "the tables that it compares names with",
      [{ ref: ref("batches"), texts: { table_name: ["trips", "presence"] } }],
      [],
      ["mobility.trips"],
    ],
    ["all tables if it compares something else", [{ ref: ref("batches"), texts: { country_code: ["EST"] } }], [], HOLDING.tables],
    ["all tables if it changes the ledger", [], [ref("batches")], HOLDING.tables],
  ])("is %s", (_what, reads, writes, needed) => {
    expect(held.needed(reads, writes)).toEqual(needed);
  });
});
