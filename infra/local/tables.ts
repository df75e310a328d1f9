import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { applyMigrations, LEDGER, type Migrated } from "../migrations/apply-migrations.ts";
import type { Migration } from "../migrations/migration.ts";
import { readMigrations } from "../migrations/read-migrations.ts";
import type { BigQueryServer } from "./bigquery/server.ts";

const WAREHOUSE = new URL("../warehouse/", import.meta.url);
const DATASETS = "datasets.sql";

/** Creates the datasets and tables of `infra/warehouse` in a local BigQuery, as Terraform does in the cloud. */
export async function makeTables(bigquery: Pick<BigQueryServer, "applyDdl">): Promise<void> {
  const tables = readdirSync(WAREHOUSE).filter((name) => name.endsWith(".sql") && name !== DATASETS);
  for (const name of [DATASETS, ...tables.sort()]) await bigquery.applyDdl(readFileSync(new URL(name, WAREHOUSE), "utf8"));
}

const Ledger = v.array(v.object({ number: v.bigint(), checksum: v.string() }));

/** Adds the columns that the tables of an older data folder lack, as `scripts/deploy` does in the cloud. All tables must exist. */
export async function migrateTables(
  bigquery: Pick<BigQueryServer, "applyDdl" | "withConnection">,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Migrated> {
  const ledger = async () => {
    const rows = await bigquery.withConnection((connection) => connection.runAndReadAll(`SELECT number, checksum FROM ${LEDGER}`));
    return v.parse(Ledger, rows.getRowObjects()).map(({ number, checksum }) => ({ number: Number(number), checksum }));
  };
  const run = (sql: string) => bigquery.applyDdl(sql);
  // The process holds the data folder's lock, so there is no other run.
  const runOnce = async (_id: string, sql: string) => {
    await run(sql);
    return true;
  };
  return applyMigrations({ has: async () => true, run, runOnce, ledger }, migrations);
}
