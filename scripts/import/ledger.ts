import type { Statement } from "../../shared/google/statement.ts";
import type { LoadedBatch, PublishedBatch } from "../../shared/publishing/ledger.ts";
import { ImportError } from "./import-error.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const ROUNDS_MAX = 3;
const NAMES_SHOWN_MAX = 5;

/** The newest load of a batch. */
export interface LedgerEntry extends PublishedEntry {
  readonly checksum: string;
  /** Two concurrent loads created this version: the batch may hold the rows of both. */
  readonly isDoubled: boolean;
  /** The raw rows have left `intake` since. */
  readonly hasLeft: boolean;
}

/** The newest published version of a batch. */
export interface PublishedEntry {
  readonly version: number;
  readonly rows: number;
}

/** The newest loads, by `batchName`. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Returns the name of a batch within a table: the country, preceded by the day (facts) or tick (feeds). */
export function batchName({ country, period }: { readonly country: string; readonly period: string | undefined }): string {
  return period === undefined ? country : `${period} ${country}`;
}

/** Returns the names of batches for a message: the first of many. */
export function shownNames(names: readonly string[]): string {
  return `${names.slice(0, NAMES_SHOWN_MAX).join(", ")}${names.length > NAMES_SHOWN_MAX ? ", …" : ""}`;
}

/** Reads the ledger of loads with one of its statements (`loadedBatchesStatement`, `tickLedgerStatement`). */
export async function readLedger(target: Target, table: string, statement: Statement<LoadedBatch>): Promise<Ledger> {
  const entries = new Map<string, LedgerEntry>();
  for (const row of await query(target, statement, { table })) {
    const name = batchName({ country: row.country_code, period: row.period ?? undefined });
    const { version, row_count: rows, checksum, has_left: hasLeft } = row;
    entries.set(name, { version, rows, checksum, hasLeft, isDoubled: entries.has(name) });
  }
  return entries;
}

/** Reads the ledger of published versions, by `batchName`. */
export async function readPublished(
  target: Target,
  table: string,
  statement: Statement<PublishedBatch>,
): Promise<ReadonlyMap<string, PublishedEntry>> {
  const rows = await query(target, statement, { table });
  return new Map(
    rows.map(({ country_code: country, period, version, row_count }) => [
      batchName({ country, period: period ?? undefined }),
      { version, rows: row_count },
    ]),
  );
}

/** Returns whether the newest load of a batch has this checksum, is not doubled, and its raw rows are still there. */
export function isCurrent(entry: LedgerEntry | undefined, checksum: string): boolean {
  return entry?.checksum === checksum && !entry.isDoubled && !entry.hasLeft;
}

/** A load's statement, and how to read its batches from the ledger afterwards. */
interface Once {
  readonly table: string;
  readonly statement: Statement;
  readonly read: () => Promise<Ledger>;
  readonly names: readonly string[];
}

/**
 * Runs a load and returns the ledger after it. BigQuery may commit two first loads of a batch at once; the ledger then has both under one
 * version, and a repeated load fixes it. Throws an ImportError if it is still doubled after three rounds.
 */
export async function loadOnce(target: Target, { table, statement, read, names }: Once): Promise<Ledger> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    await query(target, statement, { table });
    const after = await read();
    if (!names.some((name) => after.get(name)?.isDoubled)) return after;
  }
  throw new ImportError(
    `Several imports are loading ${table} at once, and rows may be doubled: run this import again when the others have finished`,
  );
}
