import * as v from "valibot";
import type { Statement } from "../google/statement.ts";
import { countryList, loadQuery } from "./batches.ts";
import type { Load } from "./staged-load.ts";

/** The days after which raw rows leave `intake`, by the UTC day of their load: the expiry of its partitions. */
export const INTAKE_DAYS = 14;

const ROW = { country_code: v.string(), period: v.nullable(v.string()), version: v.number(), row_count: v.number() };

/**
 * The newest load of a batch in `intake.batches`. `period` is its day or tick as text, or null if it has neither. `has_left` says whether the raw
 * rows of facts have left `intake` since.
 */
export const LoadedBatch = v.object({ ...ROW, checksum: v.string(), has_left: v.optional(v.boolean(), false) });
export type LoadedBatch = v.InferOutput<typeof LoadedBatch>;

/** The newest version of a batch in `mobility.batches`: what is published. */
export const PublishedBatch = v.object(ROW);
export type PublishedBatch = v.InferOutput<typeof PublishedBatch>;

/** The batches of a load. */
type Batches = Pick<Load, "table" | "countries" | "days">;

/**
 * Returns a query of the newest loads of a load's batches. Two rows of one batch mean that two concurrent loads made the same version: load the
 * batch again.
 */
export function loadedBatchesStatement(load: Batches): Statement<LoadedBatch> {
  const hasLeft = load.days ? `NOT ${isInIntake()}` : "FALSE";
  return newest(LoadedBatch, "intake", `checksum, ${hasLeft} AS has_left`, load);
}

/** Returns a query of the newest published versions of a load's batches. */
export function publishedBatchesStatement(load: Batches): Statement<PublishedBatch> {
  return newest(PublishedBatch, "mobility", undefined, load);
}

/** Returns the condition of a load of facts in `intake.batches` whose raw rows are still there. */
export function isInIntake(): string {
  return `DATE_DIFF(CURRENT_DATE(), DATE(loaded_at), DAY) < ${INTAKE_DAYS}`;
}

/** Returns the condition of a load's batches in a ledger. */
export function ledgerFilter({ countries, days }: Pick<Load, "countries" | "days">, table = "@table_name"): string {
  const batches = days ? "batch_date BETWEEN @first_date AND @last_date" : "batch_date IS NULL AND tick IS NULL";
  return `table_name = ${table} AND country_code IN ${countryList(countries)} AND ${batches}`;
}

function newest<Row>(schema: v.GenericSchema<unknown, Row>, dataset: string, more: string | undefined, load: Batches): Statement<Row> {
  const sql = `SELECT ${more === undefined ? "DISTINCT " : ""}country_code, FORMAT_DATE('%F', batch_date) AS period, version, row_count${more === undefined ? "" : `, ${more}`}
FROM \`${dataset}.batches\`
WHERE ${ledgerFilter(load)}
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)`;
  return loadQuery(schema, sql, { ...load, checksum: "" });
}
