-- @country_code STRING
-- @origin_geo_type STRING
-- @destination_geo_type STRING
-- @first_date DATE
-- @last_date DATE
-- @data_versions STRING
WITH result_rows AS (
  SELECT batch_date, origin_geo_id, destination_geo_id, general_distance_m AS General_Distance, average_speed_kmh AS Average_Speed, trips
  FROM `mobility.odm_daily`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND origin_geo_type = @origin_geo_type AND destination_geo_type = @destination_geo_type
)
SELECT batch_date, origin_geo_id, destination_geo_id, General_Distance, Average_Speed, trips
FROM result_rows
WHERE @data_versions = (
  SELECT COALESCE(STRING_AGG(CONCAT(FORMAT_DATE('%F', batch_date), ' ', CAST(version AS STRING)) ORDER BY batch_date), '')
  FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'odm_daily' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
)
