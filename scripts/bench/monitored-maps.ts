import type { BigQuery } from "@google-cloud/bigquery";

/** Monitored maps of standard geographies, dealt out evenly to customers: the numbers from `from` to before `to`. */
interface Maps {
  readonly uids: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Adds monitored maps to the warehouse, as if their customers had switched them on. Each has five neighbouring areas of the sample. */
export async function insertMonitoredMaps(operator: BigQuery, { uids, from, to }: Maps): Promise<void> {
  await operator.query({
    query: `INSERT INTO realtime.monitored_maps (map_id, uid, name, version, is_monitored, country_code, geo_type, geo_ids, appended_at)
WITH areas AS (
  SELECT geo_id, MOD(ROW_NUMBER() OVER (ORDER BY geo_id), 40) AS bucket
  FROM mobility.geographies WHERE country_code = 'EST' AND geo_type = 'admin_level_4'
), neighbours AS (
  SELECT bucket, ARRAY_AGG(geo_id ORDER BY geo_id LIMIT 5) AS ids FROM areas GROUP BY bucket
), owners AS (
  SELECT uid, position FROM UNNEST(@uids) AS uid WITH OFFSET AS position
)
SELECT LPAD(CAST(map AS STRING), 20, 'm'), owners.uid, CONCAT('Map ', CAST(map AS STRING)), 1, TRUE, 'EST', 'admin_level_4',
  neighbours.ids, CURRENT_TIMESTAMP()
FROM UNNEST(GENERATE_ARRAY(@first, @last)) AS map
JOIN owners ON owners.position = MOD(map, @customers)
JOIN neighbours ON neighbours.bucket = MOD(map, 40)`,
    params: { uids: [...uids], first: from, last: to - 1, customers: uids.length },
  });
}

/** Publishes the newest presence again as the measurement of another time, so that ticks have a fresh one. */
export async function measurePresence(operator: BigQuery, measured: Date): Promise<void> {
  const again = `TIMESTAMP '${measured.toISOString()}'`;
  const newest = "(SELECT MAX(tick) FROM mobility.batches WHERE table_name = 'presence')";
  await operator.query(`INSERT INTO realtime.presence (tick, country_code, cell_id, people)
SELECT ${again}, country_code, cell_id, people FROM realtime.presence WHERE tick > TIMESTAMP '2000-01-01' AND tick = ${newest}`);
  await operator.query(`INSERT INTO mobility.batches (country_code, table_name, tick, version, row_count, loaded_at)
SELECT country_code, table_name, ${again}, 1, row_count, ${again} FROM mobility.batches WHERE table_name = 'presence' AND tick = ${newest}`);
}
