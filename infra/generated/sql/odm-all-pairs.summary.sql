-- @country_code STRING
-- @origin_geo_type STRING
-- @destination_geo_type STRING
-- @first_date DATE
-- @last_date DATE
WITH result_rows AS (
  SELECT batch_date, origin_geo_id, destination_geo_id, general_distance_m AS General_Distance, average_speed_kmh AS Average_Speed, trips
  FROM `mobility.odm_daily`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND origin_geo_type = @origin_geo_type AND destination_geo_type = @destination_geo_type
)
SELECT
  COUNT(*) AS total_rows,
  CAST([] AS ARRAY<INT64>) AS unknown_ids,
  (
    SELECT FORMAT_DATE('%F', MAX(batch_date))
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'odm_daily'
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
  ) AS newest_date,
  ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, version
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'odm_daily' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
    ORDER BY batch_date
  ) AS data_versions
FROM result_rows
