-- @country_code STRING
-- @link_id INT64
-- @link_name STRING
-- @link_type STRING
-- @distance_m FLOAT64
-- @first_date DATE
-- @last_date DATE
-- @after TIMESTAMP
-- @before TIMESTAMP
-- @data_versions STRING
EXPORT DATA OPTIONS (uri = 'gs://populus-exports/results/acmemobility/4d4e84fa-472f-438b-862c-157d4ee6fd62/folder/part-1-*.json.gz', format = 'JSON', compression = 'GZIP', overwrite = TRUE) AS
WITH flows AS (
  SELECT link_id, time_bucket, direction, people
  FROM `mobility.flows_hourly`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND link_id = @link_id
    AND time_bucket > @after AND time_bucket < @before
),
result_rows AS (
  SELECT
    link.link_id, @link_name AS link_name, @link_type AS link_type, @distance_m AS distance_m,
    flows.time_bucket, flows.direction, flows.people
  FROM (SELECT @link_id AS link_id) AS link
  LEFT JOIN flows ON flows.link_id = link.link_id
)
SELECT link_id AS link_id, link_name AS link_name, link_type AS link_type, distance_m AS distance_m, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS time_bucket, direction AS direction, people AS people
FROM result_rows
WHERE @data_versions = (
  SELECT COALESCE(STRING_AGG(CONCAT(FORMAT_DATE('%F', batch_date), ' ', CAST(version AS STRING)) ORDER BY batch_date), '')
  FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'flows_hourly' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
)
