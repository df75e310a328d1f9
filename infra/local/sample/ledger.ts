import { createHash } from "node:crypto";
import type { SampleSize } from "./cells.ts";

/** The fact tables, whose batches are days. */
export const FACTS = ["activities_hourly", "activities_daily", "odm_daily", "flows_hourly"] as const;
export type Fact = (typeof FACTS)[number];

const COLUMNS = "country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at";

/** The last full hour before an instant: that is when what is not over is loaded. */
function lastHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
}

/** What the sample's loads of an hour have as their checksum: another hour has other rows of the day that is not over. */
export function sampleChecksum(size: SampleSize, now: Date): string {
  return createHash("sha256")
    .update(`${prefix(size)}${lastHour(now).getTime() / 1000}`)
    .digest("hex");
}

/** The same in DuckDB, for an expression of that hour. */
export function sampleChecksumAt(size: SampleSize, hour: string): string {
  return `sha256('${prefix(size)}' || epoch(${hour})::BIGINT)`;
}

function prefix({ seed, scale }: SampleSize): string {
  return `sample of seed ${seed}, scale ${scale}, at `;
}

/** The statement that gives loads of facts the times of `sample_days`, so that the same sample is the same whenever it is made. */
export function datedFacts(checksum: string): string {
  return `UPDATE mobility.batches SET loaded_at = days.loaded_at FROM sample_days AS days
  WHERE checksum = '${checksum}' AND days.country = country_code AND days.batch_date = batches.batch_date`;
}

/** The statement that gives loads of dimensions the start of the first day. */
export function datedDimensions(checksum: string): string {
  return `UPDATE mobility.batches SET loaded_at = days.starts_at FROM (SELECT country, min(starts_at) AS starts_at FROM sample_days GROUP BY country) AS days
  WHERE checksum = '${checksum}' AND days.country = country_code AND batches.batch_date IS NULL AND tick IS NULL`;
}

/** The statement that writes the ledger of the ticks in `source`, which is like `mobility.presence`. A tick is loaded when it is. */
export function ticksLedger(source: string, size: SampleSize): string {
  return `INSERT INTO mobility.batches (${COLUMNS})
  SELECT country_code, 'presence', NULL, tick, 1, count(*), 0, ${sampleChecksumAt(size, "tick")}, tick FROM ${source} GROUP BY country_code, tick`;
}

/**
 * The statement that writes the ledger of the rows in `source`, which has the columns of `mobility.activities_hourly`, with the days from `first` to
 * `last` (since 1970).
 */
export function hoursLedger(source: string, checksum: string, first: number, last: number): string {
  return `INSERT INTO mobility.batches (${COLUMNS})
  SELECT country, 'activities_hourly', batch_date, NULL, coalesce(version, 0) + 1, row_count, suppressed_count, '${checksum}', sample_days.loaded_at
  FROM (SELECT country_code AS country, batch_date, count(*) AS row_count, count(*) FILTER (WHERE NOT publishable) AS suppressed_count FROM ${source}
    WHERE batch_date BETWEEN DATE '1970-01-01' + ${first} AND DATE '1970-01-01' + ${last} GROUP BY ALL)
  JOIN sample_days USING (country, batch_date) LEFT JOIN (${newestBatches("activities_hourly")}) AS newest USING (country, batch_date)`;
}

/** A query for the newest version of each batch of a fact table: country, batch_date, version, checksum, loaded_at. */
export function newestBatches(table: Fact): string {
  return `SELECT country_code AS country, batch_date, max(version) AS version, max_by(checksum, version) AS checksum, max_by(loaded_at, version) AS loaded_at
    FROM mobility.batches WHERE table_name = '${table}' AND batch_date IS NOT NULL GROUP BY ALL`;
}
