import { messageOf } from "../../shared/runtime/error-message.ts";
import type { Migration } from "./migration.ts";

/** The table of the migrations that were applied. */
export const LEDGER = "mobility.schema_migrations";

/** A warehouse whose tables are migrated. */
export interface MigratedWarehouse {
  /** Whether a table (`dataset.table`) exists. */
  readonly has: (table: string) => Promise<boolean>;
  /** Runs one GoogleSQL statement to its end. */
  readonly run: (sql: string) => Promise<void>;
  /** Returns the rows of the ledger. */
  readonly ledger: () => Promise<readonly LedgerRow[]>;
}

interface LedgerRow {
  readonly number: number;
  readonly checksum: string;
}

export interface Migrated {
  /** Names of the migrations that were applied now. */
  readonly applied: readonly string[];
  /** Names of those that wait for a table, which Terraform has not created yet. */
  readonly waiting: readonly string[];
  /** Numbers in the ledger that this release does not know: a newer one applied them. Their columns stay. */
  readonly newer: readonly number[];
}

/**
 * Applies the migrations that the ledger does not have, in order, up to the first whose table does not exist yet. A run that was interrupted
 * is continued by the next one. Throws an Error if an applied migration was changed afterwards, or if one fails, with its name.
 */
export async function applyMigrations(warehouse: MigratedWarehouse, migrations: readonly Migration[]): Promise<Migrated> {
  const names = migrations.map(({ name }) => name);
  if (!(await warehouse.has(LEDGER))) return { applied: [], waiting: names, newer: [] };
  const known = new Map((await warehouse.ledger()).map(({ number, checksum }) => [number, checksum]));
  for (const { number, name, checksum } of migrations)
    if ((known.get(number) ?? checksum) !== checksum)
      throw new Error(`${name} was changed after it was applied: restore its text, and put the change into a new migration`);
  const newer = [...known.keys()].filter((number) => number > migrations.length).sort((one, other) => one - other);
  const pending = migrations.filter(({ number }) => !known.has(number));
  const applied: string[] = [];
  for (const migration of pending) {
    if (!(await hasAll(warehouse, migration))) break;
    try {
      for (const { sql } of migration.steps) await warehouse.run(sql);
      await warehouse.run(recordOf(migration));
    } catch (error) {
      throw notApplied(migration, applied, error);
    }
    applied.push(migration.name);
  }
  return { applied, waiting: pending.slice(applied.length).map(({ name }) => name), newer };
}

function notApplied({ name }: Migration, applied: readonly string[], cause: unknown): Error {
  const before = applied.length === 0 ? "" : `, after ${applied.join(", ")}`;
  const message = messageOf(cause);
  return new Error(`${name} was not applied${before}; the next run continues with it: ${message}`, { cause });
}

async function hasAll(warehouse: MigratedWarehouse, { steps }: Migration): Promise<boolean> {
  for (const { table } of steps) if (!(await warehouse.has(table))) return false;
  return true;
}

/** A name consists of letters, digits and dashes, a checksum of digits: neither needs quoting. */
function recordOf({ number, name, checksum }: Migration): string {
  return `INSERT INTO ${LEDGER} (number, name, checksum, applied_at) VALUES (${number}, '${name}', '${checksum}', CURRENT_TIMESTAMP())`;
}
