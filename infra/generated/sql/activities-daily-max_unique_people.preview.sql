-- @country_code STRING
-- @geo_type STRING
-- @first_date DATE
-- @last_date DATE
-- @time_zone STRING
-- @activity_type STRING
WITH matched AS (
  SELECT TIMESTAMP(batch_date, @time_zone) AS time_bucket, geo_id, MAX(people) AS value
  FROM `mobility.activities_hourly`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type
  GROUP BY batch_date, geo_id
),
result_rows AS (
  SELECT
    matched.value AS max_unique_people, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type
  FROM matched
  LEFT JOIN `mobility.geographies` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)
SELECT
  COUNT(*) AS total_rows,
  CAST([] AS ARRAY<INT64>) AS unknown_ids,
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
  ARRAY_AGG(STRUCT(max_unique_people AS max_unique_people, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS time_bucket, geo_id AS geo_id, geo_name AS geo_name, type AS type) ORDER BY time_bucket, geo_id LIMIT 100) AS preview
FROM result_rows
