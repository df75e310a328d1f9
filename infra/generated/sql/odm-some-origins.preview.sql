-- @country_code STRING
-- @origin_geo_type STRING
-- @destination_geo_type STRING
-- @origin_geo_ids ARRAY<INT64>
-- @first_date DATE
-- @last_date DATE
WITH result_rows AS (
  SELECT batch_date, origin_geo_id, destination_geo_id, general_distance_m AS General_Distance, average_speed_kmh AS Average_Speed, trips
  FROM `mobility.odm_daily`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND origin_geo_type = @origin_geo_type AND destination_geo_type = @destination_geo_type
    AND origin_geo_id IN UNNEST(@origin_geo_ids)
)
SELECT
  COUNT(*) AS total_rows,
  ARRAY(
    SELECT id
    FROM UNNEST(@origin_geo_ids) AS id
    WHERE id NOT IN (SELECT geo_id FROM `mobility.geographies` WHERE country_code = @country_code AND geo_type = @origin_geo_type)
    ORDER BY id
  ) AS unknown_ids,
  STRUCT(ARRAY_AGG(DISTINCT origin_geo_id IGNORE NULLS) AS origin_geo_ids) AS published_ids,
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
  ) AS data_versions,
  ARRAY_AGG(STRUCT(FORMAT_DATE('%F', batch_date) AS batch_date, origin_geo_id AS origin_geo_id, destination_geo_id AS destination_geo_id, General_Distance AS General_Distance, Average_Speed AS Average_Speed, trips AS trips) ORDER BY batch_date, origin_geo_id, destination_geo_id LIMIT 100) AS preview
FROM result_rows
