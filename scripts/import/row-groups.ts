import * as v from "valibot";
import { isFact, isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import type { DuckDbSession } from "./duckdb-session.ts";

/** The unit that the ledger counts versions of: a country, with a day (facts) or a tick (feeds). */
export interface Batch {
  readonly country: string;
  /** `2026-03-01` for facts, `2026-03-01T00:05:00Z` for a feed, undefined otherwise. */
  readonly period: string | undefined;
  readonly rows: number;
}

/** Rows of one batch with the same geography types and the same listed texts. */
export interface BatchGroup extends Batch {
  /** The geography types that they refer to; for pairs, those of both ends. */
  readonly geoTypes: readonly string[];
  /** The texts of the listed columns, in their order. */
  readonly texts: readonly string[];
  /** How many of the numbers in the signed columns are negative. */
  readonly negatives: number;
}

/** The names of columns as DuckDB identifiers: those whose texts the groups have, and those of which they count negative numbers. */
interface Told {
  readonly listed?: readonly string[];
  readonly signed?: readonly string[];
}

const Count = v.pipe(v.string(), v.transform(Number));
const Groups = v.array(
  v.object({
    country: v.string(),
    period: v.pipe(
      v.nullable(v.string()),
      v.transform((period) => period ?? undefined),
    ),
    geoTypes: v.array(v.string()),
    texts: v.array(v.string()),
    rows: Count,
    negatives: Count,
  }),
);

/** Returns the groups of the table or view `rows`, by country and period. Only what the few groups have is made text, not each row's. */
export async function groupRows(duckdb: DuckDbSession, table: LoadedTable, { listed = [], signed = [] }: Told = {}): Promise<BatchGroup[]> {
  const { of, period } = periodOf(table);
  const geoTypes = table.references.flatMap(({ geoType }) => (geoType === undefined ? [] : [geoType]));
  const negatives = ["0", ...signed.map((name) => `count_if(${name} < 0)`)].join(" + ");
  const columns = [...geoTypes.map((name, at) => `${name} AS type_${at}`), ...listed.map((name, at) => `${name} AS text_${at}`)];
  const counted = ["country_code AS country", `${of} AS of`, ...columns, "count(*) AS rows", `${negatives} AS negatives`];
  const list = (prefix: string, names: readonly string[]): string => `[${names.map((_, at) => `${prefix}_${at}`).join(", ")}]::VARCHAR[]`;
  const groups = await duckdb.rows(`SELECT country, ${period} AS period, ${list("type", geoTypes)} AS "geoTypes",
      ${list("text", listed)} AS texts, rows, CAST(negatives AS BIGINT) AS negatives
    FROM (SELECT ${counted.join(", ")} FROM rows GROUP BY ALL) ORDER BY country, period`);
  return v.parse(Groups, groups);
}

/** Returns the batches of all groups, in the order of the groups. */
export function batchesOf(groups: readonly BatchGroup[]): Batch[] {
  const batches = new Map<string, Batch>();
  for (const { country, period, rows } of groups) {
    const batch = JSON.stringify([country, period]);
    batches.set(batch, { country, period, rows: rows + (batches.get(batch)?.rows ?? 0) });
  }
  return [...batches.values()];
}

/** DuckDB expressions: what tells a country's batches of a table from each other, and the text of it, which is `of`. */
function periodOf(table: LoadedTable): { readonly of: string; readonly period: string } {
  if (isFact(table)) return { of: "batch_date", period: "CAST(of AS VARCHAR)" };
  return isFeed(table) ? { of: "tick", period: "strftime(of, '%Y-%m-%dT%H:%M:%SZ')" } : { of: "NULL", period: "CAST(of AS VARCHAR)" };
}
