-- @country_code STRING
-- @geo_type STRING
-- @geo_ids ARRAY<INT64>
-- @first_date DATE
-- @last_date DATE
-- @after TIMESTAMP
-- @before TIMESTAMP
-- @activity_type STRING
-- @data_versions STRING
EXPORT DATA OPTIONS (uri = 'gs://populus-exports/results/acmemobility/4d4e84fa-472f-438b-862c-157d4ee6fd62/folder/part-1-*.parquet', format = 'PARQUET', compression = 'SNAPPY', overwrite = TRUE) AS
WITH matched AS (
  SELECT time_bucket, geo_id, people AS value
  FROM `mobility.activities_hourly`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type
    AND geo_id IN UNNEST(@geo_ids)
    AND time_bucket > @after AND time_bucket < @before
),
result_rows AS (
  SELECT
    matched.value AS sum_unique_people, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type
  FROM matched
  LEFT JOIN `mobility.geographies` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)
SELECT sum_unique_people, time_bucket, geo_id, geo_name, type
FROM result_rows
WHERE @data_versions = (
  SELECT COALESCE(STRING_AGG(CONCAT(FORMAT_DATE('%F', batch_date), ' ', CAST(version AS STRING)) ORDER BY batch_date), '')
  FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'activities_hourly' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
)
