/** A column of ids that refer to `geographies` (with a geography type) or to `road_links`. */
export interface Reference {
  readonly id: string;
  readonly table: "geographies" | "road_links";
  /** The column that holds the type of the geography. */
  readonly geoType?: string;
}

/** How a value of a told row is published. A row is told from k devices; a row that is not told is not published at all. */
export type PublishedValue =
  /** Unique people: the nearest step. A coarser row has the number of the devices that are left when hidden parts are taken out. */
  | { readonly column: string; readonly rule: "people" }
  /** A sum of people, for example trips: the nearest step. A coarser row is the sum of its told finest parts. */
  | { readonly column: string; readonly rule: "additive" }
  /** Devices of the row with a property, for example those that stayed: the nearest k (2k in the strict profile). A coarser row is the sum of its told finest parts. */
  | { readonly column: string; readonly rule: "devices" }
  /** Events of the devices in `of`, at least one each: steps as those of `devices`. A coarser row is the sum of its told finest parts. */
  | { readonly column: string; readonly rule: "events"; readonly of: string }
  /**
   * Minutes of the devices in `of`: their published number times the mean to five minutes. A coarser row is the sum of its told finest parts.
   * With `addsOverHours`, a day is the sum of its published hours.
   */
  | { readonly column: string; readonly rule: "minutes"; readonly of: string; readonly addsOverHours?: boolean }
  /**
   * A mean, to a whole number unless it came protected. A coarser row has the mean of its told finest parts, weighted by `over`. A pair of road links
   * beside areas has none.
   */
  | { readonly column: string; readonly rule: "mean"; readonly over: string }
  /** The distance of a pair's centroids, which the load computes if the country's rule says so. It is never in a file. */
  | { readonly column: string; readonly rule: "distance" };

/** What of a fact table's rows is published, and how. */
export interface Publication {
  /** Whether rows are of nested areas or of pairs of them. Left out: each row stands alone. */
  readonly nesting?: "areas" | "pairs" | undefined;
  readonly values: readonly PublishedValue[];
  /** Set if hours and days are separate tables. A day has its hours as parts, so it waits for them. */
  readonly hours?: { readonly hourly: string; readonly daily: string } | undefined;
  /** Set if strict countries publish the rows by class. Left out: they publish them as others do. */
  readonly byClass?: ByClass | undefined;
}

/** How the ids of a table without nesting are put into classes. */
interface ByClass {
  /** The column of `mobility` that has the class, '' for a row of one id. */
  readonly column: string;
  readonly id: string;
  /** The other columns of the key that have no meaning over ids. */
  readonly over: readonly string[];
  /** The table of `mobility`, and its column, that say which class an id has. */
  readonly table: string;
  readonly from: string;
}

/** A fact table of `intake` and `mobility`: one row per key, in batches of a country and civil day. */
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
