-- @country_code STRING
-- @first_date DATE
-- @last_date DATE
SELECT
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
