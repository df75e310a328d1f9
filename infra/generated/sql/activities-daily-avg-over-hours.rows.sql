-- @country_code STRING
-- @geo_type STRING
-- @first_date DATE
-- @last_date DATE
-- @time_zone STRING
-- @activity_type STRING
-- @data_versions STRING
WITH matched AS (
  SELECT TIMESTAMP(batch_date, @time_zone) AS time_bucket, geo_id, DIV(20 * SUM(people) + COUNT(*), 2 * COUNT(*)) / 10 AS value
  FROM `mobility.activities_hourly`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type
  GROUP BY batch_date, geo_id
),
result_rows AS (
  SELECT
    matched.value AS avg_unique_people, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type
  FROM matched
  LEFT JOIN `mobility.geographies` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)
SELECT avg_unique_people, time_bucket, geo_id, geo_name, type
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
