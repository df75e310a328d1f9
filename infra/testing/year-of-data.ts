import { makeTables } from "../local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "./engines/warehouse-under-test.ts";

/** The days in the tables, and the name of every geography. */
export const FIRST_DAY = "2025-06-01";
export const LAST_DAY = "2026-05-31";
export const GEO_NAME = "Aegviidu";
/** The table of every ledger row. */
export const LEDGER_TABLE = "flows_hourly";

/** Two countries, two types, and on each day a different number of ids than on the adjacent days. */
const DAYS = `(SELECT unnest(generate_series(DATE '${FIRST_DAY}', DATE '${LAST_DAY}', INTERVAL 1 DAY))::DATE AS batch_date)
  CROSS JOIN (SELECT unnest(['EST', 'LAT']) AS country_code) CROSS JOIN (SELECT unnest(['admin_level_2', 'admin_level_4']) AS geo_type)
  CROSS JOIN LATERAL (SELECT unnest(range(1, 3 + (day(batch_date) % 7))) AS id)`;
const HOURS = `${DAYS} CROSS JOIN (SELECT unnest(range(24)) AS hour)`;
const HOUR = "timezone('UTC', batch_date::TIMESTAMP) + to_hours(hour::INTEGER) AS time_bucket";
const COUNTED = "id AS people, 1 AS stays_count, 2 AS stays_dwell_minutes, 3 AS stays_devices";
const ROWS: Readonly<Record<string, string>> = {
  activities_hourly: `SELECT country_code, geo_type, id AS geo_id, ${HOUR}, ${COUNTED}, batch_date FROM ${HOURS}`,
  activities_daily: `SELECT country_code, geo_type, id AS geo_id, batch_date AS time_bucket, ${COUNTED}, batch_date FROM ${DAYS}`,
  odm_daily: `SELECT country_code, batch_date, geo_type AS origin_geo_type, id AS origin_geo_id, geo_type AS destination_geo_type,
    1 AS destination_geo_id, 7 AS trips, 1.5 AS general_distance_m, 2.5 AS average_speed_kmh FROM ${DAYS}`,
  flows_hourly: `SELECT country_code, id AS link_id, ${HOUR}, unnest([-1, 1]) AS direction, 8 AS people, batch_date, '' AS road_class FROM ${HOURS} WHERE geo_type = 'admin_level_2'`,
  batches: `SELECT DISTINCT country_code, '${LEDGER_TABLE}' AS table_name, batch_date, 1 AS version, 5 AS row_count, batch_date AS loaded_at FROM ${DAYS}`,
  geographies: `SELECT DISTINCT country_code, geo_type, id AS geo_id, '${GEO_NAME}' AS geo_name, 24.5 AS lon, 59.5 AS lat FROM ${DAYS}`,
};

export interface YearOfData extends WarehouseUnderTest {
  /** Returns the number of rows of a table of `mobility`, of all days or of some. */
  readonly count: (table: string, days?: { readonly first: string; readonly last: string }) => Promise<number>;
}

/** Starts a local BigQuery whose fact tables hold a year of small days, with geographies and a ledger. */
export async function startYearOfData(): Promise<YearOfData> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  for (const [table, rows] of Object.entries(ROWS)) await connection.run(`INSERT INTO mobility.${table} BY NAME ${rows}`);
  return {
    ...warehouse,
    count: async (table, days) => {
      const within = days ? ` WHERE batch_date BETWEEN DATE '${days.first}' AND DATE '${days.last}'` : "";
      const counted = await connection.runAndReadAll(`SELECT count(*) FROM mobility.${table}${within}`);
      return Number(counted.getRows()[0]?.[0]);
    },
    close: async () => {
      connection.closeSync();
      await warehouse.close();
    },
  };
}
