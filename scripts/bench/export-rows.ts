import type { BigQuery } from "@google-cloud/bigquery";
import type { ActivitiesRequest } from "../../shared/products/activities.ts";

/** A country without sample data, so that the rows below are its only rows. Midnight in its time zone, in winter. */
const COUNTRY = "LTU";
const FIRST_DAY = "2026-01-05";
const FIRST_HOUR = "2026-01-04T22:00:00Z";
const HOURS = 250;
const SEED = 1;

/** Rows come in multiples of this: the hours of ten geographies. */
export const ROWS_UNIT = HOURS * 10;

/** Returns whether a share of the published rows can be requested: one of whole hours. */
export function isShare(share: number): boolean {
  return Number.isInteger(Math.round(share * HOURS * 1e6) / 1e6);
}

/** Returns the request for a share (0 to 1, in whole hours) of the published rows. */
export function requestOf(share: number, format: ActivitiesRequest["format"]): ActivitiesRequest {
  const start = new Date(FIRST_HOUR);
  return {
    agg_type: "activities",
    country_code: COUNTRY,
    measure: "sum_unique_people",
    activity_type: "hourly",
    geo_type: "grid_250m",
    geo_ids: null,
    start_time: start.toISOString(),
    end_time: new Date(start.getTime() + HOURS * share * 3_600_000).toISOString(),
    full: true,
    format,
  };
}

/**
 * Fills a warehouse with this many rows of hourly activities, with geographies and ledger. Inserts by day, like
 * batches.
 */
export async function fillRows(client: BigQuery, rows: number): Promise<void> {
  const cells = rows / HOURS;
  const cellId = "(5100000 + 250 * DIV(i, 200)) * 10000000 + 3600000 + 250 * MOD(i, 200)";
  await client.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat)
SELECT '${COUNTRY}', 'grid_250m', ${cellId}, CONCAT('250mN', CAST(14400 + MOD(i, 200) AS STRING), 'E', CAST(20400 + DIV(i, 200) AS STRING)), 24.0, 55.0
FROM UNNEST(GENERATE_ARRAY(0, ${cells - 1})) AS i`);
  for (let day = 0; 24 * day < HOURS; day++) {
    const date = `DATE_ADD(DATE '${FIRST_DAY}', INTERVAL ${day} DAY)`;
    const last = Math.min(HOURS, 24 * (day + 1)) - 1;
    // Multiples of a large odd number modulo a power of two look random and are the same in every run.
    const drawn = `MOD((i * ${HOURS} + h + ${SEED}) * 2654435761, 4294967296)`;
    await client.query(`INSERT INTO mobility.activities_hourly
  (country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, batch_date)
SELECT '${COUNTRY}', 'grid_250m', ${cellId}, TIMESTAMP_ADD(TIMESTAMP '${FIRST_HOUR}', INTERVAL h HOUR), 10 + DIV(${drawn}, 10000000), 1, 20, 1, ${date}
FROM UNNEST(GENERATE_ARRAY(0, ${cells - 1})) AS i, UNNEST(GENERATE_ARRAY(${24 * day}, ${last})) AS h
ORDER BY i, h`);
    await client.query(`INSERT INTO mobility.batches (country_code, table_name, batch_date, version, row_count, loaded_at)
SELECT '${COUNTRY}', 'activities_hourly', ${date}, 1, ${cells * (last + 1 - 24 * day)}, TIMESTAMP '${FIRST_HOUR}'`);
  }
}
