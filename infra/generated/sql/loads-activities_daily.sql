-- @table_name STRING
-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
SELECT country_code, FORMAT_DATE('%F', batch_date) AS period, version, row_count, checksum, NOT DATE_DIFF(CURRENT_DATE(), DATE(loaded_at), DAY) < 14 AS has_left
FROM `intake.batches`
WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
