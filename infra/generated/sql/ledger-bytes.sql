-- @country_code STRING
-- @table_name STRING
SELECT FORMAT_DATE('%F', batch_date) AS batch_date, COALESCE(bytes, row_count * 100) AS bytes
FROM `mobility.batches`
WHERE country_code = @country_code AND table_name = @table_name AND batch_date IS NOT NULL
QUALIFY ROW_NUMBER() OVER (PARTITION BY batch_date ORDER BY version DESC, loaded_at DESC) = 1
