-- @table_name STRING
-- @country_0 STRING
SELECT country_code, FORMAT_DATE('%F', batch_date) AS period, version, row_count, checksum, FALSE AS has_left
FROM `intake.batches`
WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date IS NULL AND tick IS NULL
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
