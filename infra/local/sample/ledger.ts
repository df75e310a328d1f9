import { createHash } from "node:crypto";
import type { SampleSize } from "./cells.ts";

/** The fact tables. Their batches are days. */
export const FACTS = ["activities_hourly", "activities_daily", "odm_daily", "flows_hourly"] as const;
export type Fact = (typeof FACTS)[number];

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
 * Returns the statements that give loads of facts, and what they publish, the times of `sample_days`, so that the same options give the same
 * ledgers whenever the sample is made.
 */
export function datedFacts(checksum: string): string[] {
  const ofDay = "days.country = batches.country_code AND days.batch_date = batches.batch_date";
  const ofSample = `(batches.country_code, batches.table_name, batches.batch_date) IN (SELECT (country_code, table_name, batch_date) FROM intake.batches WHERE checksum = '${checksum}')`;
  return [
    `UPDATE intake.batches SET loaded_at = days.loaded_at FROM sample_days AS days WHERE checksum = '${checksum}' AND ${ofDay}`,
    `UPDATE mobility.batches SET loaded_at = days.loaded_at FROM sample_days AS days WHERE batches.loaded_at > days.loaded_at AND ${ofDay} AND ${ofSample}`,
  ];
}

/** Returns the statements that set the load time of dimensions to the start of the first day. */
export function datedDimensions(checksum: string): string[] {
  const first = "(SELECT country, min(starts_at) AS starts_at FROM sample_days GROUP BY country) AS days";
  const ofCountry = "days.country = batches.country_code AND batches.batch_date IS NULL AND tick IS NULL";
  const ofSample = `(batches.country_code, batches.table_name) IN (SELECT (country_code, table_name) FROM intake.batches WHERE checksum = '${checksum}')`;
  return [
    `UPDATE intake.batches SET loaded_at = days.starts_at FROM ${first} WHERE checksum = '${checksum}' AND ${ofCountry}`,
    `UPDATE mobility.batches SET loaded_at = days.starts_at FROM ${first} WHERE ${ofCountry} AND ${ofSample}`,
  ];
}

/**
 * Returns the statements that write the ledgers of the ticks in `source`, which has the columns of `intake.presence`, and of which `published`
 * selects what is published. The load time of a tick is the tick itself.
 */
export function ticksLedgers(source: string, published: string, size: SampleSize): string[] {
  const ticks = `FROM (SELECT country_code, tick, count(*) AS loaded FROM ${source} GROUP BY ALL)
    LEFT JOIN (SELECT country_code, tick, count(*) AS told FROM (${published}) GROUP BY ALL) USING (country_code, tick)`;
  return [
    `INSERT INTO intake.batches (country_code, table_name, tick, version, row_count, checksum, loaded_at)
    SELECT country_code, 'presence', tick, 1, loaded, ${sampleChecksumAt(size, "tick")}, tick ${ticks}`,
    `INSERT INTO mobility.batches (country_code, table_name, tick, version, row_count, loaded_at)
    SELECT country_code, 'presence', tick, 1, coalesce(told, 0), tick ${ticks}`,
  ];
}

/** Returns a query for the newest load of each batch of a fact table: country, batch_date, version, checksum, loaded_at. */
export function newestBatches(table: Fact): string {
  return `SELECT country_code AS country, batch_date, max(version) AS version, max_by(checksum, version) AS checksum, max_by(loaded_at, version) AS loaded_at
    FROM intake.batches WHERE table_name = '${table}' AND batch_date IS NOT NULL GROUP BY ALL`;
}
