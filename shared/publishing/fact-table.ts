/** A column of ids that refer to `geographies` (with a geography type) or to `road_links`. */
export interface Reference {
  readonly id: string;
  readonly table: "geographies" | "road_links";
  /** The column that holds the type of the geography. */
  readonly geoType?: string;
}

/** How the rows of a fact table become publishable. A row below its country's k is always withheld. */
export interface Publication {
  /** Whether rows are of nested areas or of pairs of them. Left out: only a row's own devices decide. */
  readonly nesting?: "areas" | "pairs" | undefined;
  /** The columns whose value in a coarser row is the sum over its published parts. */
  readonly additive: readonly string[];
  /** Set if hours and days are separate tables and a day's value in some columns is the sum over its published hours. */
  readonly daysFromHours?: DaysFromHours | undefined;
  /** The column that a load computes from the centroids of a pair, if the country's rule says so. It is never in a file. */
  readonly distanceColumn?: string | undefined;
}

/** The tables of hours and of days, and the additive columns that also add up over the hours of a day. */
export interface DaysFromHours {
  readonly hourly: string;
  readonly daily: string;
  readonly columns: readonly string[];
}

/** A fact table of `mobility`: one row per key, in batches of a country and civil day. */
export interface FactTable {
  /** The table's name in `mobility` and in the ledger. */
  readonly name: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** The length of a `time_bucket`; undefined if the table has no such column. */
  readonly bucket: "hour" | "day" | undefined;
  readonly references: readonly Reference[];
  readonly publication: Publication;
}
