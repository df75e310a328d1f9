-- @country_code STRING
-- @table_0 STRING
-- @table_1 STRING
WITH newest AS (
  SELECT country_code, table_name, batch_date, version, row_count, loaded_at, is_deleted
  FROM `mobility.batches`
  WHERE country_code = @country_code AND table_name IN (@table_0, @table_1) AND batch_date IS NOT NULL
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
),
typed AS (
  SELECT table_name, batch_date, version,
    TO_JSON_STRING(ARRAY_AGG(
      STRUCT(geo_type, destination_geo_type, published_rows, withheld_people_percent)
      ORDER BY geo_type, destination_geo_type
    )) AS geo_types
  FROM `mobility.batch_geo_types`
  WHERE country_code = @country_code AND table_name IN (@table_0, @table_1) AND batch_date IS NOT NULL
  GROUP BY table_name, batch_date, version
)
SELECT
  newest.country_code, newest.table_name, FORMAT_DATE('%F', newest.batch_date) AS batch_date, newest.row_count AS published_rows,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', newest.loaded_at) AS loaded_at, typed.geo_types
FROM newest
LEFT JOIN typed ON typed.table_name = newest.table_name AND typed.batch_date = newest.batch_date AND typed.version = newest.version
WHERE newest.is_deleted IS NOT TRUE
ORDER BY newest.table_name, newest.batch_date
