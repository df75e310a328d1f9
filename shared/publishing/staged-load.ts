import type { DistanceRule } from "../countries/country-rules.ts";
import type { Publication } from "./fact-table.ts";

/** Rows in a staging table, on their way into a table of `mobility`. All in it has been checked. */
export interface Load {
  /** The table's name in `mobility`, which is also its name in the ledger. */
  readonly table: string;
  /** The staging table, `staging.import_…`, with `columns` under the table's own names; a GEOGRAPHY is WKT there. */
  readonly staging: string;
  readonly columns: readonly LoadColumn[];
  /** The columns in which an old row must agree with a new one to be replaced; with `batch_date` for facts. */
  readonly replaces: readonly string[];
  /** The countries of the rows. */
  readonly countries: readonly { readonly code: string; readonly k: number; readonly distance: DistanceRule }[];
  /** The first and the last day of facts; undefined for what is no fact. */
  readonly days: { readonly first: string; readonly last: string } | undefined;
  /** How rows become publishable; undefined for what is no fact. */
  readonly publication: Publication | undefined;
  /** The nested geography types that the rows are of, finest first. */
  readonly levels: readonly string[];
  readonly checksum: string;
}

interface LoadColumn {
  readonly name: string;
  readonly isGeography: boolean;
}
