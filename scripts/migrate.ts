import { BigQuery } from "@google-cloud/bigquery";
import { applyMigrations } from "../infra/migrations/apply-migrations.ts";
import { readMigrations } from "../infra/migrations/read-migrations.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { cloudFailure } from "./cloud-failure.ts";
import { cloudProject } from "./cloud-project.ts";
import { parseCommandLine } from "./command-line.ts";
import { cloudWarehouse } from "./migrate/cloud-warehouse.ts";
import { describeMigrated } from "./migrate/describe.ts";
import { MIGRATE_USAGE } from "./usage.ts";

interface Wanted {
  readonly project: string;
  readonly all: boolean;
}

/** Returns what to migrate, "help", or what is wrong. */
function readArguments(args: readonly string[]): Wanted | "help" | { readonly wrong: string } {
  try {
    const options = { project: { type: "string" }, all: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
    const { project, all = false, help = false } = parseCommandLine({ args: [...args], options }).values;
    if (help) return "help";
    return project === undefined ? { wrong: "--project is required" } : { project: cloudProject(project), all };
  } catch (error) {
    return { wrong: messageOf(error) };
  }
}

/**
 * `npm run migrate` adds the columns of this checkout's migrations to the tables of a project, with the operator's own credentials. Returns the exit
 * code: 1 for a migration that was not applied, 2 for wrong arguments.
 */
async function main(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args);
  if (wanted === "help") {
    process.stdout.write(MIGRATE_USAGE);
    return 0;
  }
  if ("wrong" in wanted) {
    console.error(`${wanted.wrong}\n\n${MIGRATE_USAGE}`);
    return 2;
  }
  const { project, all } = wanted;
  const migrated = await applyMigrations(cloudWarehouse(new BigQuery({ projectId: project })), readMigrations());
  for (const line of describeMigrated(migrated)) console.log(line);
  if (!all || migrated.waiting.length === 0) return 0;
  console.error(`Tables are missing in ${project}, so not all migrations are applied: deploy first`);
  return 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(cloudFailure(error));
  process.exitCode = 1;
}
