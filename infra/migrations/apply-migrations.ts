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
  /**
   * Runs one GoogleSQL statement as the only job of an id. Returns false, once that job has ended, if another run had started it. Throws the error of
   * an own job that fails.
   */
  readonly runOnce: (id: string, sql: string) => Promise<boolean>;
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
  /** Names of those that another run recorded at the same moment. */
  readonly concurrent: readonly string[];
  /** Names of those that wait for a table, which Terraform has not created yet. */
  readonly waiting: readonly string[];
  /** Numbers in the ledger that this release does not know: a newer one applied them. Their columns stay. */
  readonly newer: readonly number[];
}

/**
 * Applies the migrations that the ledger does not have, in order, up to the first whose table does not exist yet. A run that was interrupted
 * is continued by the next one. Of runs at the same moment one records each migration. Throws an Error if an applied migration was changed
 * afterwards, or if one fails, with its name.
 */
export async function applyMigrations(warehouse: MigratedWarehouse, migrations: readonly Migration[]): Promise<Migrated> {
  const names = migrations.map(({ name }) => name);
  if (!(await warehouse.has(LEDGER))) return { applied: [], concurrent: [], waiting: names, newer: [] };
  const known = new Map((await warehouse.ledger()).map(({ number, checksum }) => [number, checksum]));
  for (const { number, name, checksum } of migrations)
    if ((known.get(number) ?? checksum) !== checksum)
      throw new Error(`${name} was changed after it was applied: restore its text, and put the change into a new migration`);
  const newer = [...known.keys()].filter((number) => number > migrations.length).sort((one, other) => one - other);
  const pending = migrations.filter(({ number }) => !known.has(number));
  const applied: string[] = [];
  const concurrent: string[] = [];
  for (const migration of pending) {
    if (!(await hasAll(warehouse, migration))) break;
    try {
      for (const { sql } of migration.steps) await warehouse.run(sql);
      const isOwn = await record(warehouse, migration);
      (isOwn ? applied : concurrent).push(migration.name);
    } catch (error) {
      throw notApplied(migration, applied, error);
    }
  }
  return { applied, concurrent, waiting: pending.slice(applied.length + concurrent.length).map(({ name }) => name), newer };
}

/**
 * Records a migration in the ledger once. Returns false if another run did. BigQuery appends rows of any number of statements at the same moment, and
 * knows no unique keys, but it starts one job of an id: the next one is started only if the ledger has no row after the last one has ended.
 */
async function record(warehouse: MigratedWarehouse, migration: Migration): Promise<boolean> {
  const { number, checksum } = migration;
  for (let attempt = 1; ; attempt++) {
    if (await warehouse.runOnce(`migration_${number}_${checksum.slice(0, 16)}_${attempt}`, recordOf(migration))) return true;
    if ((await warehouse.ledger()).some((row) => row.number === number)) return false;
  }
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
