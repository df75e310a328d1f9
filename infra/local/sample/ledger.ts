import { createHash } from "node:crypto";
import type { SampleSize } from "./cells.ts";

/** The fact tables. Their batches are days. */
export const FACTS = ["activities_hourly", "activities_daily", "odm_daily", "flows_hourly"] as const;
export type Fact = (typeof FACTS)[number];

const COLUMNS = "country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at";

/** Returns the last full hour before an instant. Days that are not over are loaded at that hour. */
function lastHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
}

/** Returns the checksum of the sample's loads in an hour. It depends on the hour because the rows of an unfinished day do. */
export function sampleChecksum(size: SampleSize, now: Date): string {
  return createHash("sha256")
    .update(`${prefix(size)}${lastHour(now).getTime() / 1000}`)
    .digest("hex");
}

/** Returns the same checksum as a DuckDB expression. `hour` is an expression for the hour. */
export function sampleChecksumAt(size: SampleSize, hour: string): string {
  return `sha256('${prefix(size)}' || epoch(${hour})::BIGINT)`;
}

function prefix({ seed, scale }: SampleSize): string {
  return `sample of seed ${seed}, scale ${scale}, at `;
}

/**
 * Returns the statement that gives loads of facts the times of `sample_days`, so that the same options give the same ledger whenever the
 * sample is made.
 */
export function datedFacts(checksum: string): string {
  return `UPDATE mobility.batches SET loaded_at = days.loaded_at FROM sample_days AS days
  WHERE checksum = '${checksum}' AND days.country = country_code AND days.batch_date = batches.batch_date`;
}

/** Returns the statement that sets the load time of dimensions to the start of the first day. */
export function datedDimensions(checksum: string): string {
  return `UPDATE mobility.batches SET loaded_at = days.starts_at FROM (SELECT country, min(starts_at) AS starts_at FROM sample_days GROUP BY country) AS days
  WHERE checksum = '${checksum}' AND days.country = country_code AND batches.batch_date IS NULL AND tick IS NULL`;
}

/**
 * Returns the statement that writes the ledger of the ticks in `source`, which has the columns of `mobility.presence`. The load time of a
 * tick is the tick itself.
 */
export function ticksLedger(source: string, size: SampleSize): string {
  return `INSERT INTO mobility.batches (${COLUMNS})
  SELECT country_code, 'presence', NULL, tick, 1, count(*), 0, ${sampleChecksumAt(size, "tick")}, tick FROM ${source} GROUP BY country_code, tick`;
}

/**
 * Returns the statement that writes the ledger of the rows in `source` for the days from `first` to `last` (since 1970). `source` has the
 * columns of `mobility.activities_hourly`.
 */
export function hoursLedger(source: string, checksum: string, first: number, last: number): string {
  return `INSERT INTO mobility.batches (${COLUMNS})
  SELECT country, 'activities_hourly', batch_date, NULL, coalesce(version, 0) + 1, row_count, suppressed_count, '${checksum}', sample_days.loaded_at
  FROM (SELECT country_code AS country, batch_date, count(*) AS row_count, count(*) FILTER (WHERE NOT publishable) AS suppressed_count FROM ${source}
    WHERE batch_date BETWEEN DATE '1970-01-01' + ${first} AND DATE '1970-01-01' + ${last} GROUP BY ALL)
  JOIN sample_days USING (country, batch_date) LEFT JOIN (${newestBatches("activities_hourly")}) AS newest USING (country, batch_date)`;
}

/** Returns a query for the newest version of each batch of a fact table: country, batch_date, version, checksum, loaded_at. */
export function newestBatches(table: Fact): string {
  return `SELECT country_code AS country, batch_date, max(version) AS version, max_by(checksum, version) AS checksum, max_by(loaded_at, version) AS loaded_at
    FROM mobility.batches WHERE table_name = '${table}' AND batch_date IS NOT NULL GROUP BY ALL`;
}
