import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloudWarehouse } from "../../scripts/migrate/cloud-warehouse.ts";
import { makeTables, migrateTables } from "../local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../testing/engines/warehouse-under-test.ts";
import { applyMigrations, LEDGER } from "./apply-migrations.ts";
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
    expect(await inCloud(FIRST)).toEqual({ applied: [], waiting: ["001-more"], newer: [] });
    await makeTables(warehouse);
    await rows(
      `INSERT INTO mobility.batches (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
       VALUES ('EST', 'odm_daily', DATE '2026-01-01', NULL, 1, 2, TIMESTAMP '2026-01-02 00:00:00Z')`,
    );
    expect(await inCloud(FIRST)).toEqual({ applied: ["001-more"], waiting: [], newer: [] });
  });

  it("are applied once, also by another process on the same data, and later ones after them", async () => {
    expect(await inCloud(FIRST)).toEqual({ applied: [], waiting: [], newer: [] });
    await warehouse.close();
    warehouse = await startWarehouseUnderTest({ dataDirectory });
    await makeTables(warehouse);
    expect(await migrateTables(warehouse, BOTH)).toEqual({ applied: ["002-more"], waiting: [], newer: [] });
    expect(await rows(`SELECT number, name FROM ${LEDGER} ORDER BY number`)).toEqual([
      { number: 1, name: "001-more" },
      { number: 2, name: "002-more" },
    ]);
    expect(await rows("SELECT version, provider, bytes FROM mobility.batches")).toEqual([{ version: 1, provider: null, bytes: null }]);
    expect(await rows("SELECT source FROM realtime.headcounts WHERE tick > '2026-01-01'")).toEqual([]);
  });

  it("of a newer release are told to an older one, which changes nothing", async () => {
    expect(await migrateTables(warehouse, FIRST)).toEqual({ applied: [], waiting: [], newer: [2] });
    expect(await inCloud([])).toEqual({ applied: [], waiting: [], newer: [1, 2] });
  });

  it("that were interrupted before they were recorded are continued", async () => {
    await rows("ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64");
    const all = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64");
    const twoAtOnce = await Promise.all([inCloud(all), inCloud(all)]);
    expect(twoAtOnce.flatMap(({ applied }) => applied)).toContain("003-more");
    expect(await inCloud(all)).toEqual({ applied: [], waiting: [], newer: [] });
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
    };
    await expect(applyMigrations(failing, all)).rejects.toThrow(
      "005-more was not applied, after 004-more; the next run continues with it: Access Denied: Table mobility.batches",
    );
    expect(lost).toHaveLength(2);
  });

  it("whose table is missing wait, and so do those after them", async () => {
    const add = (table: string) => `ALTER TABLE mobility.${table} ADD COLUMN IF NOT EXISTS fourth INT64`;
    const all = texts(...TEXTS, "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS third INT64", add("later"), add("batches"));
    expect(await inCloud(all)).toEqual({ applied: [], waiting: ["004-more", "005-more"], newer: [] });
  });
});
