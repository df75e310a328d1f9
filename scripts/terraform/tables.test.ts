import { once } from "node:events";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery } from "../../shared/google/bigquery.ts";
import type { HeadcountRow } from "../../shared/realtime/headcount-rows.ts";
import type { CellsRow } from "../../shared/realtime/map-cells-table.ts";
import type { MonitoredRow } from "../../shared/realtime/monitored-rows.ts";
import { sqlCorpus } from "../generate/sql-corpus/corpus.ts";
import { CUSTOMER_TABLES, makeWarehouse, TABLES } from "./testing/terraform-warehouse.ts";

const FILES = sqlCorpus();
const DEFINED = FILES.filter(({ kind, name }) => kind === "ddl" && !isMadeByOthers(name));
const STATEMENTS = FILES.filter(({ kind }) => kind !== "ddl");

/** Returns the statements that a warehouse refuses, and why. */
async function faultsOf(statements: typeof FILES, { client }: WarehouseUnderTest): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const { name, statement } of statements) {
    const options = { ...clientQuery(statement), location: statement.sql.includes("realtime_eu.") ? "EU" : LOCATION, dryRun: true };
    await client.createQueryJob(options).catch((error) => faults.push([name, String(error)]));
  }
  return faults;
}

/** Staging tables are created by load jobs, and customers' tables and views by a separate root. */
function isMadeByOthers(name: string): boolean {
  return /staging\.import_|\.customer_|\.headcounts_/.test(name);
}

const Metadata = v.object({
  schema: v.object({ fields: v.array(v.record(v.string(), v.unknown())) }),
  description: v.optional(v.string()),
  timePartitioning: v.optional(v.record(v.string(), v.unknown())),
  clustering: v.optional(v.object({ fields: v.array(v.string()) })),
  requirePartitionFilter: v.optional(v.boolean(), false),
  location: v.string(),
});

describe("the tables that Terraform creates", () => {
  let planned: WarehouseUnderTest;
  let defined: WarehouseUnderTest;

  beforeAll(async () => {
    planned = await startWarehouseUnderTest();
    await makeWarehouse(planned.client);
    for (const { kind, name, statement } of FILES) if (kind === "ddl" && isMadeByOthers(name)) await planned.applyDdl(statement.sql);
    defined = await startWarehouseUnderTest();
    for (const { statement } of DEFINED) await defined.applyDdl(statement.sql);
  });

  afterAll(() => Promise.all([planned.close(), defined.close()]));

  const inAll = ({ client }: WarehouseUnderTest) =>
    Promise.all(
      TABLES.map(async ({ dataset, table }) => {
        const [metadata] = await client.dataset(dataset).table(table).getMetadata();
        return [`${dataset}.${table}`, v.parse(Metadata, metadata)] as const;
      }),
    );

  it("match the definitions of infra/warehouse: columns, partitions, clustering, filters and locations", async () => {
    const tables = DEFINED.flatMap(({ name }) => /^1-table\.(.*)$/.exec(name)?.[1] ?? []);
    expect(TABLES.map(({ dataset, table }) => `${dataset}.${table}`).sort()).toEqual(tables.sort());
    expect(Object.fromEntries(await inAll(planned))).toEqual(Object.fromEntries(await inAll(defined)));
  });

  it("have every table and column that the corpus uses, with a matching type", async () => {
    expect(await faultsOf(STATEMENTS, planned)).toEqual([]);
    expect(STATEMENTS.length).toBeGreaterThan(100);
  });

  it("serve every statement of the corpus when a later release has grown them, as after a rollback", async () => {
    for (const { dataset, table } of TABLES)
      await planned.client.query(`ALTER TABLE ${dataset}.${table} ADD COLUMN IF NOT EXISTS of_a_later_release STRING`);
    expect(await faultsOf(STATEMENTS, planned)).toEqual([]);
  });

  it("have every column that a statement writes, and no required column that it does not", () => {
    const schemas = new Map(
      TABLES.map(({ dataset, table, body }) => [`${dataset}.${table}`, v.parse(Metadata.entries.schema, body.schema).fields]),
    );
    const writes = STATEMENTS.flatMap(({ name, statement: { sql } }) =>
      [...sql.matchAll(/INSERT INTO `([\w.]+)` \(([^)]*)\)/g)].map(([, table = "", columns = ""]) => ({
        name,
        table,
        columns: columns.split(",").map((one) => one.trim()),
      })),
    );
    expect(writes.length).toBe(STATEMENTS.reduce((sum, { statement }) => sum + (statement.sql.match(/INSERT INTO/g) ?? []).length, 0));
    expect(writes.length).toBeGreaterThan(20);
    // A load makes its staging tables itself.
    const lasting = writes.filter(({ table }) => !table.startsWith("staging."));
    for (const { name, table, columns } of lasting) {
      const fields = schemas.get(table) ?? [];
      const [all, required] = [fields, fields.filter(({ mode }) => mode === "REQUIRED")].map((some) =>
        some.map((field) => String(field.name)),
      );
      expect([name, columns.filter((column) => !all?.includes(column)), required?.filter((column) => !columns.includes(column))]).toEqual([
        name,
        [],
        [],
      ]);
    }
  });

  it("accept the rows that the service streams and loads", async () => {
    const time = "2026-01-15T12:00:00.000Z";
    const map = {
      map_id: "00000000-0000-4000-8000-000000000000",
      uid: "acmemobi",
      name: "Tallinn",
      version: 1,
      is_monitored: true,
    };
    const place = { country_code: "EST", geo_type: null, geo_ids: [784], geometry_hash: "ab", cell_parts: 1, appended_at: time };
    const monitored: MonitoredRow = { ...map, ...place };
    const part = { uid: "acmemobi", geometry_hash: "ab", part: 0, parts: 1, country_code: "EST", appended_at: time };
    const stored: CellsRow = { ...part, cells: [{ cell_id: 1, weight: 0.5 }] };
    for (const [table, json] of [
      ["monitored_maps", monitored],
      ["map_cells", stored],
    ] as const)
      await planned.client.dataset("realtime").table(table).insert([{ json }], { raw: true });

    const target = { target_id: map.map_id, target_name: map.name };
    const headcount: HeadcountRow = { tick: time, timestamp: time, uid: "acmemobi", ...target, people_count: 12, result: "SUCCESS" };
    for (const { dataset, table, location, body } of CUSTOMER_TABLES) {
      await planned.client.dataset(dataset).createTable(table.replace("{uid}", "acmemobi"), body);
      const own = planned.client.dataset(dataset).table("headcounts_acmemobi", { location });
      const load = own.createWriteStream({ sourceFormat: "NEWLINE_DELIMITED_JSON", writeDisposition: "WRITE_APPEND" });
      const loaded = once(load, "complete");
      load.end(`${JSON.stringify(headcount)}\n`);
      await loaded;
    }

    const count = async (table: string, location: string) => {
      const query = `SELECT COUNT(*) AS rows_there FROM \`${table}\` WHERE uid = 'acmemobi'`;
      return (await planned.client.query({ query, location }))[0];
    };
    expect(await count("realtime.monitored_maps", LOCATION)).toEqual([{ rows_there: 1 }]);
    expect(await count("realtime.map_cells", LOCATION)).toEqual([{ rows_there: 1 }]);
    expect(CUSTOMER_TABLES).toHaveLength(2);
    for (const { dataset, location } of CUSTOMER_TABLES)
      expect(await count(`${dataset}.headcounts_acmemobi`, location)).toEqual([{ rows_there: 1 }]);
  });
});
