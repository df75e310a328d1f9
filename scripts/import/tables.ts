import { FACT_TABLES } from "../../shared/products/catalogue.ts";
import type { FactTable, Reference } from "../../shared/publishing/fact-table.ts";

/** What an import needs to know about a table besides its columns. */
export interface ImportTable extends Omit<FactTable, "publication"> {
  /** A file replaces the rows that match one of its rows in these columns. */
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
): ImportTable {
  return { name, key, replaces, references, bucket: undefined, publication: undefined };
}

/** The tables that the import loads: the facts of all products, and their reference data. */
export const IMPORT_TABLES: readonly ImportTable[] = [
  ...FACT_TABLES.map((table) => ({ ...table, replaces: ["country_code", "batch_date"] })),
  description("geographies", ["country_code", "geo_type", "geo_id"], ["country_code", "geo_type"]),
  description("road_links", ["country_code", "link_id"], ["country_code"]),
  description(
    "geography_cells",
    ["country_code", "geo_type", "geo_id", "cell_id"],
    ["country_code", "geo_type"],
    [{ id: "geo_id", table: "geographies", geoType: "geo_type" }],
  ),
  description("presence", ["tick", "country_code", "cell_id"], ["country_code", "tick"]),
];

/** Returns whether the rows are daily facts, which have a threshold, and not a description of the country. */
export function isFact({ replaces }: ImportTable): boolean {
  return replaces.includes("batch_date");
}

/** Returns whether the rows are ticks of a feed. Ticks are loaded separately, in time order. */
export function isFeed({ replaces }: ImportTable): boolean {
  return replaces.includes("tick");
}
