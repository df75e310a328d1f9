import type { FactTable, Reference } from "../publishing/fact-table.ts";
import { FACT_TABLES } from "./catalogue.ts";

/** What a load needs to know of a table of `mobility` beyond its columns. */
export interface LoadedTable extends Omit<FactTable, "publication"> {
  /** A load replaces the rows that agree with one of its own in these columns. */
  readonly replaces: readonly string[];
  /** How facts become publishable; undefined for tables without facts. */
  readonly publication: FactTable["publication"] | undefined;
}

/** Returns a table that describes the country, or a feed of ticks. Its rows have no threshold. */
function description(
  name: string,
  key: readonly string[],
  replaces: readonly string[],
  references: readonly Reference[] = [],
): LoadedTable {
  return { name, key, replaces, references, bucket: undefined, publication: undefined };
}

/** The tables of `mobility` that are loaded: the facts of all products, and what they stand on. */
export const LOADED_TABLES: readonly LoadedTable[] = [
  ...FACT_TABLES.map((table) => ({ ...table, replaces: ["country_code", "batch_date"] })),
  description("geographies", ["country_code", "geo_type", "geo_id"], ["country_code", "geo_type"]),
  description("road_links", ["country_code", "link_id"], ["country_code"]),
  description(
    "geography_cells",
    ["country_code", "geo_type", "geo_id", "cell_id"],
    ["country_code", "geo_type"],
    [{ id: "geo_id", table: "geographies", geoType: "geo_type" }],
  ),
  description("coverage", ["country_code", "northing", "first_cell_id"], ["country_code"]),
  description("presence", ["tick", "country_code", "cell_id"], ["country_code", "tick"]),
];

/** Whether the rows are facts of days, which have a threshold, rather than a description of the country. */
export function isFact({ replaces }: LoadedTable): boolean {
  return replaces.includes("batch_date");
}

/** Whether the rows are ticks of a feed: each tick is loaded on its own, in the order of time. */
export function isFeed({ replaces }: LoadedTable): boolean {
  return replaces.includes("tick");
}
