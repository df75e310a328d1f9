-- @country_code STRING
-- @geo_type STRING
-- @geo_ids ARRAY<INT64>
-- @first_date DATE
-- @last_date DATE
-- @after TIMESTAMP
-- @before TIMESTAMP
-- @activity_type STRING
WITH matched AS (
  SELECT time_bucket, geo_id, stays_devices AS value
  FROM `mobility.activities_hourly`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type
    AND geo_id IN UNNEST(@geo_ids)
    AND time_bucket > @after AND time_bucket < @before
),
result_rows AS (
  SELECT
    matched.value AS stays_devices, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type
  FROM matched
  LEFT JOIN `mobility.geographies` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)
SELECT
  COUNT(*) AS total_rows,
  ARRAY(
    SELECT id
    FROM UNNEST(@geo_ids) AS id
    WHERE id NOT IN (SELECT geo_id FROM `mobility.geographies` WHERE country_code = @country_code AND geo_type = @geo_type)
    ORDER BY id
  ) AS unknown_ids,
  STRUCT(ARRAY_AGG(DISTINCT geo_id IGNORE NULLS) AS geo_ids) AS published_ids,
  (
    SELECT FORMAT_DATE('%F', MAX(batch_date))
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'activities_hourly'
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
  ) AS newest_date,
  ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, version
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'activities_hourly' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
    ORDER BY batch_date
  ) AS data_versions,
  ARRAY_AGG(STRUCT(stays_devices AS stays_devices, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS time_bucket, geo_id AS geo_id, geo_name AS geo_name, type AS type) ORDER BY time_bucket, geo_id LIMIT 100) AS preview
FROM result_rows
