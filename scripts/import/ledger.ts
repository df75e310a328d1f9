import type { Statement } from "../../shared/google/statement.ts";
import type { LedgerRow } from "../../shared/publishing/ledger.ts";
import { ImportError } from "./import-error.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const ROUNDS_MAX = 3;

/** The newest version of a batch in the ledger. */
export interface LedgerEntry {
  readonly version: number;
  readonly rows: number;
  readonly suppressed: number;
  readonly checksum: string;
  /** Two loads at once made this version: the batch may hold the rows of both. */
  readonly isDoubled: boolean;
}

/** The ledger's newest entries, by `batchName`. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Names a batch within a table: a country and, of facts, a day, of a feed, a tick. */
export function batchName({ country, period }: { readonly country: string; readonly period: string | undefined }): string {
  return period === undefined ? country : `${period} ${country}`;
}

/** What a statement of the ledger finds (`ledgerStatement`, `tickLedgerStatement`). */
export async function readLedger(target: Target, table: string, statement: Statement<LedgerRow>): Promise<Ledger> {
  const entries = new Map<string, LedgerEntry>();
  for (const row of await query(target, statement, { table })) {
    const name = batchName({ country: row.country_code, period: row.period ?? undefined });
    const { version, row_count: rows, suppressed_count: suppressed, checksum } = row;
    entries.set(name, { version, rows, suppressed, checksum, isDoubled: entries.has(name) });
  }
  return entries;
}

/** Whether the newest version of a batch is that of a checksum, and whole. */
export function isCurrent(entry: LedgerEntry | undefined, checksum: string): boolean {
  return entry?.checksum === checksum && !entry.isDoubled;
}

/** A load's statement, and how its batches are found in the ledger afterwards. */
interface Once {
  readonly table: string;
  readonly statement: Statement;
  readonly read: () => Promise<Ledger>;
  readonly names: readonly string[];
}

/**
 * Runs a load and gives the ledger after it. BigQuery may let two first loads of one batch through at once; both are then in the ledger under
 * one version, and loading again mends it.
 */
export async function loadOnce(target: Target, { table, statement, read, names }: Once): Promise<Ledger> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    await query(target, statement, { table });
    const after = await read();
    if (!names.some((name) => after.get(name)?.isDoubled)) return after;
  }
  throw new ImportError(
    `mobility.${table} is being loaded by several at once, and rows may be doubled: run this import again when the others are over`,
  );
}
