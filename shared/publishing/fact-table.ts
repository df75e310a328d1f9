/** A column of ids that stand in `geographies` (under a geography type) or in `road_links`. */
export interface Reference {
  readonly id: string;
  readonly table: "geographies" | "road_links";
  /** The column that holds the type of the geography. */
  readonly geoType?: string;
}

/** How the rows of a fact table become publishable. A row below its country's k is withheld, whatever else is said here. */
export interface Publication {
  /** How geographies of several types lie in each other: rows are of areas, or of pairs of them. Left out: a row's own devices decide alone. */
  readonly nesting?: "areas" | "pairs" | undefined;
  /** The columns whose value in a coarser row is the sum of its published parts. */
  readonly additive: readonly string[];
  /** Where days and hours of the same rows are tables of their own, and a day's value in some columns is the sum of its published hours. */
  readonly daysFromHours?: DaysFromHours | undefined;
  /** The column that is filled in from the centroids of a pair where the country's rule says so and the rows do not hold it. */
  readonly distanceColumn?: string | undefined;
}

/** The tables of hours and of days, and those additive columns that add up over the hours of a day too. */
export interface DaysFromHours {
  readonly hourly: string;
  readonly daily: string;
  readonly columns: readonly string[];
}

/** A fact table of `mobility`: one row a key, in batches of a country and civil day. */
export interface FactTable {
  /** Its name in `mobility` and in the ledger. */
  readonly name: string;
  /** The columns that tell one row from another. */
  readonly key: readonly string[];
  /** What `time_bucket` holds; undefined: the table has none. */
  readonly bucket: "hour" | "day" | undefined;
  readonly references: readonly Reference[];
  readonly publication: Publication;
}
