import { readdirSync, readFileSync } from "node:fs";
import type { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { cloudWarehouse } from "../../../scripts/migrate/cloud-warehouse.ts";
import { parseScript } from "../../local/bigquery/sql/parse/script.ts";
import { applyMigrations, LEDGER, type Migrated } from "../../migrations/apply-migrations.ts";
import type { Migration } from "../../migrations/migration.ts";
import { readMigrations } from "../../migrations/read-migrations.ts";
import type { Migrations } from "./proof.ts";

/** The folder of a release's tables and migrations. */
const WAREHOUSE = "infra/warehouse/";

const DATASETS = ["intake", "mobility", "realtime"];

/** Returns the migrations of a checkout. */
export function migrationsOf(root: URL): readonly Migration[] {
  return readMigrations(new URL(`${WAREHOUSE}migrations/`, root));
}

/** Migrates the tables as `scripts/deploy` does: the tables that are there, then new tables, as Terraform, then what waited for them. */
export async function migrate(bigquery: BigQuery, root: URL): Promise<Migrated> {
  const warehouse = cloudWarehouse(bigquery);
  const first = await applyMigrations(warehouse, migrationsOf(root));
  const folder = new URL(WAREHOUSE, root);
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql") && name !== "datasets.sql");
  for (const name of files.sort()) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const starts = parseScript(text).map(({ at }) => at);
    for (const [index, at] of starts.entries()) await bigquery.query(text.slice(at, starts[index + 1]));
  }
  const second = await applyMigrations(warehouse, migrationsOf(root));
  return { ...second, applied: [...first.applied, ...second.applied], concurrent: [...first.concurrent, ...second.concurrent] };
}

/** Counts the ledger of migrations, and lists the columns of all tables as `dataset.table.column`. */
export async function standOf(bigquery: BigQuery): Promise<Migrations> {
  const [rows] = await bigquery.query(`SELECT COUNT(*) AS number FROM ${LEDGER}`);
  const [{ number }] = v.parse(v.tuple([v.object({ number: v.number() })]), rows);
  const columns = new Set<string>();
  for (const dataset of DATASETS) {
    const [tables] = await bigquery.dataset(dataset).getTables();
    for (const table of tables) {
      const [metadata] = await table.getMetadata();
      const { fields } = v.parse(v.object({ fields: v.array(v.object({ name: v.string() })) }), metadata.schema);
      for (const { name } of fields) columns.add(`${dataset}.${table.id}.${name}`);
    }
  }
  return { ledger: number, columns };
}
