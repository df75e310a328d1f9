import type { DistanceRule } from "../countries/country-rules.ts";
import type { Publication } from "./fact-table.ts";

/** A load of staged rows into a table of `mobility`. The rows are already checked. */
export interface Load {
  /** The table's name in `mobility` and in the ledger. */
  readonly table: string;
  /** The staging table, `staging.import_…`. It has `columns` under the target's names, with a GEOGRAPHY as WKT. */
  readonly staging: string;
  readonly columns: readonly LoadColumn[];
  /** A load replaces old rows that equal a new row in these columns. They include `batch_date` for facts. */
  readonly replaces: readonly string[];
  readonly countries: readonly LoadedCountry[];
  /** The first and last day of facts, inclusive; undefined for dimensions. */
  readonly days: { readonly first: string; readonly last: string } | undefined;
  /** How rows become publishable; undefined for dimensions. */
  readonly publication: Publication | undefined;
  /** The nested geography types of the rows, finest first. */
  readonly levels: readonly string[];
  readonly checksum: string;
}

/** The rules of a country that loads and publishing need. */
export interface LoadedCountry {
  readonly code: string;
  /** The fewest devices behind a published row. */
  readonly k: number;
  /** The step of published counts of people. */
  readonly step: number;
  /** The place in `NESTED_LEVELS` of the finest type that the country offers for the product of the table. */
  readonly finest: number;
  /** Whether the provider has protected its counts: nothing is taken out or rounded. */
  readonly isProtected: boolean;
  readonly distance: DistanceRule;
}

interface LoadColumn {
  readonly name: string;
  readonly isGeography: boolean;
}
