import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloudWarehouse } from "../../scripts/migrate/cloud-warehouse.ts";
import { describeMigrated } from "../../scripts/migrate/describe.ts";
import { SCOPES } from "../local/identity.ts";
import { makeTables, migrateTables } from "../local/tables.ts";
import { PROJECT, startWarehouseUnderTest, type WarehouseUnderTest } from "../testing/engines/warehouse-under-test.ts";
import { type Fates, fatesOf } from "../testing/faults/fate.ts";
import { startHttpProxy } from "../testing/faults/http-proxy.ts";
import { randomOf } from "../testing/simulation/random.ts";
import { applyMigrations, LEDGER, type MigratedWarehouse } from "./apply-migrations.ts";
import { type Migration, parseMigrations } from "./migration.ts";

/** The first adds to tables in two datasets. */
const TEXTS = [
  "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS provider STRING; ALTER TABLE realtime.headcounts ADD COLUMN IF NOT EXISTS source STRING",
  "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS bytes INT64",
];
const texts = (...all: readonly string[]): readonly Migration[] =>
  parseMigrations(all.map((text, index) => ({ file: `00${index + 1}-more.sql`, text })));
const [FIRST, BOTH] = [texts(...TEXTS.slice(0, 1)), texts(...TEXTS)];

let dataDirectory: string;
let warehouse: WarehouseUnderTest;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "populus-migrations-"));
  warehouse = await startWarehouseUnderTest({ dataDirectory });
});

afterAll(async () => {
  await warehouse.close();
  await rm(dataDirectory, { recursive: true });
});

const rows = async (sql: string): Promise<unknown[]> => (await warehouse.client.query(sql))[0];
const inCloud = (migrations: readonly Migration[]) => applyMigrations(cloudWarehouse(warehouse.client), migrations);

describe("migrations", () => {
  it("wait for the tables of a new environment, and find their columns there once Terraform has created them", async () => {
    expect(await inCloud(FIRST)).toEqual({ applied: [], concurrent: [], waiting: ["001-more"], newer: [] });
    await makeTables(warehouse);
    await rows(
      `INSERT INTO mobility.batches (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
       VALUES ('EST', 'odm_daily', DATE '2026-01-01', NULL, 1, 2, TIMESTAMP '2026-01-02 00:00:00Z')`,
    );
    expect(await inCloud(FIRST)).toEqual({ applied: ["001-more"], concurrent: [], waiting: [], newer: [] });
  });

  it("are applied once, also by another process on the same data, and later ones after them", async () => {
    expect(await inCloud(FIRST)).toEqual({ applied: [], concurrent: [], waiting: [], newer: [] });
    await warehouse.close();
    warehouse = await startWarehouseUnderTest({ dataDirectory });
    await makeTables(warehouse);
    expect(await migrateTables(warehouse, BOTH)).toEqual({ applied: ["002-more"], concurrent: [], waiting: [], newer: [] });
    expect(await rows(`SELECT number, name FROM ${LEDGER} ORDER BY number`)).toEqual([
      { number: 1, name: "001-more" },
      { number: 2, name: "002-more" },
    ]);
    expect(await rows("SELECT version, provider, bytes FROM mobility.batches")).toEqual([{ version: 1, provider: null, bytes: null }]);
    expect(await rows("SELECT source FROM realtime.headcounts WHERE tick > '2026-01-01'")).toEqual([]);
  });

  it("of a newer release are told to an older one, which changes nothing", async () => {
    expect(await migrateTables(warehouse, FIRST)).toEqual({ applied: [], concurrent: [], waiting: [], newer: [2] });
    expect(await inCloud([])).toEqual({ applied: [], concurrent: [], waiting: [], newer: [1, 2] });
  });

  it("that were interrupted before they were recorded are continued", async () => {
    await rows("ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64");
    const all = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64");
    expect(await inCloud(all)).toMatchObject({ applied: ["003-more"], concurrent: [] });
    expect(await inCloud(all)).toEqual({ applied: [], concurrent: [], waiting: [], newer: [] });
  });

  describe("of runs at the same moment", () => {
    const THIRD = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64");
    const recorded = () => rows(`SELECT name FROM ${LEDGER} WHERE number = 3`);
    /** Two runs, which both read the ledger before one of them changes anything, and what `change` makes of their warehouses. */
    const atOnce = (change: (own: MigratedWarehouse) => MigratedWarehouse = (own) => own, migrations = THIRD) => {
      const [both, waiting] = [Promise.withResolvers<void>(), new Set<number>()];
      return [0, 1].map((run) => {
        const own = change(cloudWarehouse(warehouse.client));
        const ledger = async () => {
          const read = await own.ledger();
          if (waiting.add(run).size === 2) both.resolve();
          await both.promise;
          return read;
        };
        return applyMigrations({ ...own, ledger }, migrations);
      });
    };
    beforeEach(() => rows(`DELETE FROM ${LEDGER} WHERE number = 3`));

    it("one records them, and the other says so; also once earlier ones were taken back", async () => {
      const ended = await Promise.all(atOnce());
      expect(ended.map(({ applied, concurrent, waiting }) => [applied, concurrent, waiting]).sort()).toEqual([
        [[], ["003-more"], []],
        [["003-more"], [], []],
      ]);
      expect(await recorded()).toEqual([{ name: "003-more" }]);
      expect(ended.flatMap(describeMigrated).sort()).toEqual(["Another run has applied 003-more at the same moment", "Applied 003-more"]);
    });

    it("the other records them if the first fails to", async () => {
      const failsOnce = (own: MigratedWarehouse): MigratedWarehouse => ({
        ...own,
        runOnce: (id, sql) => own.runOnce(id, id.endsWith("_1") ? "SELECT 1 / 0" : sql),
      });
      const unseen = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64;");
      const ended = await Promise.allSettled(atOnce(failsOnce, unseen));
      expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { message: expect.stringMatching(/^003-more was not applied; the next run continues with it: .*division by zero/) },
      });
      expect(ended.find(({ status }) => status === "fulfilled")).toMatchObject({ value: { applied: ["003-more"], concurrent: [] } });
      expect(await recorded()).toEqual([{ name: "003-more" }]);
    });

    it("a run that cannot learn whether another's job has ended fails: it must not record in its place", async () => {
      await cloudWarehouse(warehouse.client).runOnce("of_another", "SELECT 1");
      let passing = Number.POSITIVE_INFINITY;
      let calls = 0;
      const fates: Fates = { ...fatesOf(randomOf(1), 0), next: () => (++calls > passing ? "unavailable" : "passed") };
      const proxy = await startHttpProxy(warehouse.address, fates);
      const authClient = new OAuth2Client();
      authClient.setCredentials({ access_token: warehouse.tokenOf("operator", SCOPES.cloudPlatform), expiry_date: Date.now() + 3_600_000 });
      const own = cloudWarehouse(
        new BigQuery({ projectId: PROJECT, apiEndpoint: `http://${proxy.address}`, authClient, autoRetry: false }),
      );
      expect(await own.runOnce("of_another", "SELECT 2")).toBe(false);
      // The last of its calls waits for the job.
      passing = 2 * calls - 1;
      await expect(own.runOnce("of_another", "SELECT 2")).rejects.toThrow("unavailable");
      await proxy.close();
    });

    it("a run whose answer was lost knows its own record", async () => {
      const own = cloudWarehouse(warehouse.client);
      const repeated = async (id: string, sql: string) => (await own.runOnce(id, sql)) && own.runOnce(id, sql);
      expect(await applyMigrations({ ...own, runOnce: repeated }, THIRD)).toMatchObject({ applied: ["003-more"], concurrent: [] });
      expect(await recorded()).toEqual([{ name: "003-more" }]);
    });
  });

  it("that were changed after they were applied stop everything", async () => {
    const changed = texts(`${TEXTS[0]};`, TEXTS[1] ?? "");
    await expect(inCloud(changed)).rejects.toThrow("001-more was changed after it was applied: restore its text");
  });

  it("of which one fails are told: which, which came before it, and why", async () => {
    const add = (number: number) => `ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS told_${number} INT64`;
    const all = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64", add(4), add(5));
    const lost: string[] = [];
    const failing = {
      ...cloudWarehouse(warehouse.client),
      ledger: async () => [1, 2, 3].map((number) => ({ number, checksum: all[number - 1]?.checksum ?? "" })),
      run: async (sql: string) => {
        if (sql.includes("told_5")) throw new Error("Access Denied: Table mobility.batches");
        lost.push(sql);
      },
      runOnce: async (_id: string, sql: string) => lost.push(sql) > 0,
    };
    await expect(applyMigrations(failing, all)).rejects.toThrow(
      "005-more was not applied, after 004-more; the next run continues with it: Access Denied: Table mobility.batches",
    );
    expect(lost).toHaveLength(2);
  });

  it("whose table is missing wait, and so do those after them", async () => {
    const add = (table: string) => `ALTER TABLE mobility.${table} ADD COLUMN IF NOT EXISTS fourth INT64`;
    const all = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64", add("later"), add("batches"));
    expect(await inCloud(all)).toEqual({ applied: [], concurrent: [], waiting: ["004-more", "005-more"], newer: [] });
  });
});
