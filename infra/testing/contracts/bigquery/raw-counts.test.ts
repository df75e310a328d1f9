import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BigQuery } from "@google-cloud/bigquery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetDefinitions } from "../../../../scripts/admin/local/dataset-definitions.ts";
import { TABLES } from "../../../../scripts/terraform/testing/terraform-warehouse.ts";
import { makeTables } from "../../../local/tables.ts";
import { LOCATION, startWarehouseUnderTest, UID, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";

/** Who must not learn raw counts: all functions, which run locally as one account; a customer's warehouse account; one without a role. */
const OTHERS = ["functions", `warehouse-${UID}`, `storage-${UID}`, "queue"];
const CUSTOMERS = `customer_${UID}`;
const STAGED = "staging.import_odm_daily";
const DENIED = { code: 403, errors: [{ reason: "accessDenied" }] };

let warehouse: WarehouseUnderTest;
let loader: BigQuery;
let folder: string;

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  for (const { sql } of datasetDefinitions(UID).scripts) await warehouse.applyDdl(sql);
  await warehouse.applyDdl(`CREATE TABLE ${STAGED} (origin_geo_id INT64, devices INT64);
    INSERT INTO ${STAGED} (origin_geo_id, devices) VALUES (1, 3);
    INSERT INTO intake.presence (tick, country_code, cell_id, people, devices) VALUES ('2026-01-15T12:00:00Z', 'EST', 1, 12, 3);
    CREATE VIEW ${CUSTOMERS}.raw AS SELECT devices FROM \`intake.presence\` WHERE tick = '2026-01-15T12:00:00Z';
    CREATE VIEW mobility.raw AS SELECT devices FROM \`${STAGED}\``);
  loader = warehouse.clientOf("loader");
  folder = mkdtempSync(join(tmpdir(), "populus-raw-counts-"));
});

afterAll(async () => {
  await warehouse.close();
  rmSync(folder, { recursive: true });
});

const RAW = TABLES.flatMap(({ dataset, table }) => (dataset === "intake" ? [`intake.${table}`] : []));
const filters: Readonly<Record<string, string>> = { "intake.presence": " WHERE tick > '2026-01-01'" };
const reading = (name: string) =>
  `SELECT * FROM \`${name}\`${filters[name] ?? (/_(hourly|daily)$/.test(name) && name !== STAGED ? " WHERE loaded_on > '2026-01-01'" : "")}`;

describe.each(OTHERS)("%s", (account) => {
  const client = () => warehouse.clientOf(account);

  it("reads no table of raw counts, nor what a query of it would read", async () => {
    expect(RAW.length).toBeGreaterThan(6);
    for (const name of [...RAW, STAGED]) {
      await expect(client().query(reading(name)), name).rejects.toMatchObject(DENIED);
      await expect(client().createQueryJob({ query: reading(name), dryRun: true }), name).rejects.toMatchObject(DENIED);
    }
  });

  it.each([
    `SELECT (SELECT MAX(devices) FROM \`${STAGED}\`) AS n`,
    `SELECT 1 AS x FROM \`mobility.geographies\` AS g JOIN \`${STAGED}\` AS s ON g.geo_id = s.devices`,
    `EXPORT DATA OPTIONS (uri = 'gs://exports/x-*', format = 'CSV') AS SELECT * FROM \`${STAGED}\``,
    `CREATE TABLE mobility.copy AS SELECT * FROM \`${STAGED}\``,
    `CREATE VIEW mobility.window AS SELECT * FROM \`${STAGED}\``,
    `BEGIN TRANSACTION; DELETE FROM \`${STAGED}\` WHERE devices > (SELECT MIN(devices) FROM \`${STAGED}\`); COMMIT TRANSACTION`,
    `INSERT INTO \`${STAGED}\` (devices) VALUES (1)`,
    "DELETE FROM `intake.nesting` WHERE level = 0",
    "CREATE TABLE staging.own (x INT64)",
    `DROP TABLE ${STAGED}`,
  ])("cannot run %s", async (sql) => {
    await expect(client().query(sql)).rejects.toMatchObject(DENIED);
  });

  it.each(["intake", "staging"].flatMap((id) => ["TABLES", "COLUMNS", "VIEWS"].map((view) => [id, `INFORMATION_SCHEMA.${view}`] as const)))(
    "cannot read %s.%s",
    async (datasetId, view) => {
      await expect(client().query(`SELECT * FROM ${datasetId}.${view}`)).rejects.toMatchObject(DENIED);
      await expect(client().query({ query: `SELECT * FROM ${view}`, defaultDataset: { datasetId } })).rejects.toMatchObject(DENIED);
    },
  );

  it("reaches them through no other method", async () => {
    for (const id of ["intake", "staging"]) {
      const dataset = client().dataset(id);
      const table = dataset.table(id === "intake" ? "presence" : "import_odm_daily");
      const file = join(folder, "rows.csv");
      writeFileSync(file, "1,2\n");
      const attempts = {
        dataset: () => dataset.getMetadata(),
        change: () => dataset.setMetadata({ description: "mine" }),
        remove: () => dataset.delete({ force: true }),
        list: () => dataset.getTables(),
        metadata: () => table.getMetadata(),
        rows: () => table.getRows(),
        stream: () => table.insert([{ devices: 1 }]),
        drop: () => table.delete(),
        create: () => dataset.createTable("own", { schema: "x:INT64" }),
        load: () => dataset.table("own").load(file, { sourceFormat: "CSV", schema: { fields: [{ name: "x", type: "INTEGER" }] } }),
      };
      for (const [what, attempt] of Object.entries(attempts)) await expect(attempt(), `${id} ${what}`).rejects.toMatchObject({ code: 403 });
    }
    expect((await client().getDatasets())[0].map(({ id }) => id)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/intake|staging/)]),
    );
  });

  it("learns nothing of the loader's jobs", async () => {
    const [job] = await loader.createQueryJob({ jobId: `raw-${account}`, query: reading(STAGED) });
    expect((await job.getQueryResults())[0]).toEqual([{ origin_geo_id: 1, devices: 3 }]);
    const seen = client().job(`raw-${account}`, { location: LOCATION });
    for (const attempt of [() => seen.getMetadata(), () => seen.getQueryResults(), () => seen.cancel()])
      await expect(attempt()).rejects.toMatchObject({ code: 404 });
    const all = await client().getJobs({ allUsers: true });
    expect(all[0].filter(({ id }) => id?.startsWith("raw-"))).toEqual([]);
  });
});

it("a view of raw counts is readable by nobody but who may read them: no dataset of them authorises a view", async () => {
  const view = `SELECT devices FROM ${CUSTOMERS}.raw`;
  for (const account of [`warehouse-${UID}`, "functions"])
    await expect(warehouse.clientOf(account).query(view)).rejects.toMatchObject(DENIED);
  await expect(warehouse.clientOf("functions").query("SELECT devices FROM mobility.raw")).rejects.toMatchObject(DENIED);
  expect((await warehouse.client.query(view))[0]).toEqual([{ devices: 3 }]);
  // The customer's own views are of headcounts.
  expect((await warehouse.clientOf(`warehouse-${UID}`).query(`SELECT * FROM ${CUSTOMERS}.realtime_data`))[0]).toEqual([]);
});

describe("the loader", () => {
  it("reads and writes what it loads and publishes", async () => {
    await loader.query(
      "INSERT INTO `intake.presence` (tick, country_code, cell_id, people, devices) VALUES ('2026-01-15T12:05:00Z', 'EST', 2, 40, 9)",
    );
    await loader.query(`BEGIN TRANSACTION;
      INSERT INTO \`realtime.presence\` (tick, country_code, cell_id, people)
      SELECT tick, country_code, cell_id, 40 FROM \`intake.presence\` WHERE tick = '2026-01-15T12:05:00Z' AND devices >= 5;
      DELETE FROM \`mobility.coverage\` WHERE country_code = 'EST';
      COMMIT TRANSACTION`);
    expect((await loader.query("SELECT people FROM `realtime.presence` WHERE tick > '2026-01-01'"))[0]).toEqual([{ people: 40 }]);
    const file = join(folder, "loaded.csv");
    writeFileSync(file, "1\n");
    const table = loader.dataset("staging").table("import_presence");
    await table.load(file, { sourceFormat: "CSV", schema: { fields: [{ name: "cell_id", type: "INTEGER" }] } });
    await table.delete();
    expect((await loader.getDatasets())[0].map(({ id }) => id).sort()).toEqual(["intake", "mobility", "staging"]);
  });

  it.each([
    "SELECT * FROM `realtime.headcounts`",
    "SELECT * FROM `realtime.monitored_maps`",
    "SELECT * FROM `realtime.map_cells`",
    `SELECT * FROM ${CUSTOMERS}.realtime_data`,
    "DELETE FROM `realtime.headcounts` WHERE uid = 'x'",
    "SELECT * FROM realtime.INFORMATION_SCHEMA.TABLES",
  ])("cannot run %s", async (sql) => {
    await expect(loader.query(sql)).rejects.toMatchObject(DENIED);
  });
});
