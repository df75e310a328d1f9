import type { CountryRules } from "../countries/country-rules.ts";
import { stepOf } from "../countries/step.ts";
import type { FactTable, Reference } from "../publishing/fact-table.ts";
import { NESTED_LEVELS } from "../publishing/nesting.ts";
import type { LoadedCountry } from "../publishing/staged-load.ts";
import { EXTENT_SIDES } from "../publishing/wkt-extent.ts";
import { distanceRule, FACT_TABLES, geoTypesOfAreas, productOfTable } from "./catalogue.ts";

/** What a load needs to know of a table beyond its columns. */
export interface LoadedTable extends Omit<FactTable, "publication"> {
  /** A load replaces the rows that agree with one of its own in these columns. */
  readonly replaces: readonly string[];
  /** How facts are published; undefined for tables without facts. */
  readonly publication: FactTable["publication"] | undefined;
  /** The columns that a load computes for every row: a file's are ignored. */
  readonly computed: readonly string[];
}

/** Returns a table that describes the country, or a feed of ticks. Its rows have no threshold. */
function description(
  name: string,
  key: readonly string[],
  replaces: readonly string[],
  references: readonly Reference[] = [],
): LoadedTable {
  return { name, key, replaces, references, bucket: undefined, publication: undefined, computed: [] };
}

/** The tables that are loaded: the facts of all products and the feed into `intake`, what they stand on into `mobility`. */
export const LOADED_TABLES: readonly LoadedTable[] = [
  ...FACT_TABLES.map((table) => ({ ...table, replaces: ["country_code", "batch_date"], computed: ["loaded_on"] })),
  {
    ...description("geographies", ["country_code", "geo_type", "geo_id"], ["country_code", "geo_type"]),
    computed: EXTENT_SIDES,
  },
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

/** Returns the columns that a load computes: they cannot be set, and those of a file are ignored. */
export function computedColumns({ publication, computed }: LoadedTable): string[] {
  const distances = publication?.values.flatMap(({ column, rule }) => (rule === "distance" ? [column] : [])) ?? [];
  return [...distances, ...computed];
}

/** Whether the rows are facts of days, which have a threshold, rather than a description of the country. */
export function isFact({ replaces }: LoadedTable): boolean {
  return replaces.includes("batch_date");
}

/** Whether the rows are ticks of a feed: each tick is loaded on its own, in the order of time. */
export function isFeed({ replaces }: LoadedTable): boolean {
  return replaces.includes("tick");
}

/** Returns the dataset that a load of the table writes. Raw counts go to `intake`. */
export function datasetOf(table: LoadedTable): "intake" | "mobility" {
  return isFact(table) || isFeed(table) ? "intake" : "mobility";
}

/** Returns what a load of a table needs to know of a country; undefined if the country does not offer the table's product. */
export function loadedCountry(table: LoadedTable, code: string, rules: CountryRules): LoadedCountry | undefined {
  const product = productOfTable(table.name);
  if (product && product.describe(rules) === undefined) return undefined;
  const types: ReadonlySet<string> = new Set(product ? product.geoTypes(rules) : geoTypesOfAreas(rules));
  return {
    code,
    k: rules.k,
    step: product ? product.step(rules) : stepOf(rules),
    peopleOfDevice: rules.peopleOfDevice ?? 1,
    finestType: NESTED_LEVELS.find((level) => types.has(level)),
    isProtected: rules.isProtected,
    isStrict: rules.isStrict,
    distance: distanceRule(rules),
  };
}

/** Returns the tables of `mobility` that a load publishes: of facts its own, and with hours their days. */
export function publishedTables({ name, publication }: LoadedTable): string[] {
  if (!publication) return [];
  return publication.hours?.hourly === name ? [name, publication.hours.daily] : [name];
}
