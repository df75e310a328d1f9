import * as v from "valibot";
import { type Load, ledgerStatement } from "../../shared/warehouse/load.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const Rows = v.array(
  v.object({
    country_code: v.string(),
    batch_date: v.nullable(v.string()),
    version: v.number(),
    row_count: v.number(),
    suppressed_count: v.number(),
    checksum: v.string(),
  }),
);

/** The newest version of a batch in the ledger. */
export interface LedgerEntry {
  readonly version: number;
  readonly rows: number;
  readonly suppressed: number;
  readonly checksum: string;
  /** Two loads at once made this version: the batch may hold the rows of both. */
  readonly isDoubled: boolean;
}

/** Names a batch within a table: a country and, of facts, a day. */
export function batchName({ country, date }: { readonly country: string; readonly date: string | undefined }): string {
  return date === undefined ? country : `${date} ${country}`;
}

/** The ledger's newest entries of the batches of a load, by `batchName`. */
export async function readLedger(
  target: Target,
  load: Pick<Load, "table" | "countries" | "days">,
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const entries = new Map<string, LedgerEntry>();
  for (const row of v.parse(Rows, await query(target, ledgerStatement(load), { table: load.table }))) {
    const name = batchName({ country: row.country_code, date: row.batch_date ?? undefined });
    const { version, row_count: rows, suppressed_count: suppressed, checksum } = row;
    entries.set(name, { version, rows, suppressed, checksum, isDoubled: entries.has(name) });
  }
  return entries;
}
