-- @country_code STRING
-- @table_0 STRING
-- @table_1 STRING
SELECT
  country_code, table_name, FORMAT_DATE('%F', batch_date) AS batch_date, row_count - suppressed_count AS published_rows,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', loaded_at) AS loaded_at
FROM `mobility.batches`
WHERE country_code = @country_code AND table_name IN (@table_0, @table_1) AND batch_date IS NOT NULL
QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
ORDER BY table_name, batch_date
