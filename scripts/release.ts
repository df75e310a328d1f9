import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";
import { readMigrations } from "../infra/migrations/read-migrations.ts";
import { DefinedTables, growthFaults, Released, released } from "../infra/migrations/released.ts";
import { exitOnHelp, RELEASE_USAGE } from "./usage.ts";

const RELEASED = new URL("../infra/released/warehouse.json", import.meta.url);
const DEFINED = new URL("../infra/generated/tables.json", import.meta.url);

/** `npm run release` records the tables of this release; with `--check` it tells what of them a later change may not do. */
exitOnHelp(RELEASE_USAGE, process.argv.slice(2), ["--check"]);
try {
  const { tables } = read(DEFINED, DefinedTables);
  const migrations = readMigrations();
  if (process.argv.includes("--check")) {
    const faults = growthFaults(read(RELEASED, Released), tables, migrations);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) throw new Error("Released tables only grow: infra/warehouse/migrations/README.md says how");
  } else {
    writeFileSync(RELEASED, `${JSON.stringify(released(tables, migrations), undefined, 2)}\n`);
    console.log(`Wrote the ${Object.keys(tables).length} tables and ${migrations.length} migrations of this release to infra/released`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function read<const Schema extends v.GenericSchema>(file: URL, schema: Schema): v.InferOutput<Schema> {
  return v.parse(schema, JSON.parse(readFileSync(file, "utf8")));
}
