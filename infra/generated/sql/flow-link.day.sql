-- @country_code STRING
-- @link_id INT64
-- @link_name STRING
-- @link_type STRING
-- @distance_m FLOAT64
-- @first_date DATE
-- @last_date DATE
-- @after TIMESTAMP
-- @before TIMESTAMP
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
SELECT
  COUNT(*) AS total_rows,
  COUNT(time_bucket) AS valued_rows,
  CAST([] AS ARRAY<INT64>) AS unknown_ids,
  (
    SELECT FORMAT_DATE('%F', MAX(batch_date))
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'flows_hourly'
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
  ) AS newest_date,
  ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, version
    FROM (
    SELECT batch_date, MAX(ledger.version) AS version
    FROM `mobility.batches` AS ledger
    WHERE country_code = @country_code AND table_name = 'flows_hourly' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY batch_date
    HAVING MAX(ledger.version) > COALESCE(MAX(IF(ledger.is_deleted, ledger.version, NULL)), 0)
  )
    ORDER BY batch_date
  ) AS data_versions,
  TO_JSON_STRING(ARRAY_AGG(STRUCT(link_id AS c0, link_name AS c1, link_type AS c2, distance_m AS c3, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS c4, direction AS c5, people AS c6) ORDER BY time_bucket, direction)) AS preview
FROM result_rows
