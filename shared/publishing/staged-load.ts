import type { DistanceRule } from "../countries/country-rules.ts";
import type { Publication } from "./fact-table.ts";
import type { Level } from "./nesting.ts";

/** A load of staged rows: facts into a table of `intake`, which publishes them in `mobility`; others into a table of `mobility`. The rows are already checked. */
export interface Load {
  /** The table's name in its dataset and in the ledgers. */
  readonly table: string;
  /** The staging table, `staging.import_…`. It has `columns` under the target's names, with a GEOGRAPHY as WKT. */
  readonly staging: string;
  readonly columns: readonly LoadColumn[];
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** A load replaces old rows that equal a new row in these columns. They include `batch_date` for facts. */
  readonly replaces: readonly string[];
  readonly countries: readonly LoadedCountry[];
  /** The first and last day of facts, inclusive; undefined for dimensions. */
  readonly days: { readonly first: string; readonly last: string } | undefined;
  /** How the rows are published; undefined for dimensions. */
  readonly publication: Publication | undefined;
  readonly checksum: string;
}

/** A load of facts. */
export interface FactLoad extends Load {
  readonly days: { readonly first: string; readonly last: string };
  readonly publication: Publication;
}

/** The rules of a country that loads and publishing need. */
export interface LoadedCountry {
  readonly code: string;
  /** The fewest devices behind a published row. */
  readonly k: number;
  /** The step of published counts of people. */
  readonly step: number;
  /** The most people that a device stands for. Of no meaning where the provider has protected its counts. */
  readonly peopleOfDevice: number;
  /** The finest nested type that the country offers for the product of the table; undefined if its rows do not nest. */
  readonly finestType: Level | undefined;
  /** Whether the provider has protected its counts: nothing is taken out or rounded. */
  readonly isProtected: boolean;
  /** Whether the country has the strict profile. Left out: no. */
  readonly isStrict?: boolean;
  readonly distance: DistanceRule;
}

interface LoadColumn {
  readonly name: string;
  readonly isGeography: boolean;
}

/** Returns whether a load is of facts. */
export function isFactLoad(load: Load): load is FactLoad {
  return load.days !== undefined && load.publication !== undefined;
}
