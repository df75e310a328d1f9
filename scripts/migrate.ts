import { BigQuery } from "@google-cloud/bigquery";
import { applyMigrations } from "../infra/migrations/apply-migrations.ts";
import { readMigrations } from "../infra/migrations/read-migrations.ts";
import { parseCommandLine } from "./command-line.ts";
import { cloudWarehouse } from "./migrate/cloud-warehouse.ts";
import { describeMigrated } from "./migrate/describe.ts";
import { MIGRATE_USAGE } from "./usage.ts";

/** `npm run migrate` adds the columns of this checkout's migrations to the tables of a project, with the operator's own credentials. */
async function main(): Promise<number> {
  const options = { project: { type: "string" }, all: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { project, all = false, help = false } = parseCommandLine({ args: process.argv.slice(2), options }).values;
  if (help) {
    process.stdout.write(MIGRATE_USAGE);
    return 0;
  }
  if (project === undefined) throw new Error("--project is required");
  const migrated = await applyMigrations(cloudWarehouse(new BigQuery({ projectId: project })), readMigrations());
  for (const line of describeMigrated(migrated)) console.log(line);
  if (!all || migrated.waiting.length === 0) return 0;
  console.error(`Tables are missing in ${project}, so not all migrations are applied: deploy first`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${MIGRATE_USAGE}`);
  process.exitCode = 2;
}
