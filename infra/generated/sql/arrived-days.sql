-- @first_date DATE
-- @last_date DATE
SELECT DISTINCT table_name, country_code, FORMAT_DATE('%F', batch_date) AS period
FROM `intake.batches`
WHERE batch_date BETWEEN @first_date AND @last_date
QUALIFY version = MAX(version) OVER (PARTITION BY table_name, country_code, batch_date) AND row_count > 0
