-- @first_tick TIMESTAMP
-- @last_tick TIMESTAMP
-- @country_0 STRING
-- @country_1 STRING
SELECT country_code, FORMAT_TIMESTAMP('%FT%TZ', tick) AS period, version, row_count, checksum
FROM `intake.batches`
WHERE table_name = 'presence' AND country_code IN (@country_0, @country_1) AND tick BETWEEN @first_tick AND @last_tick
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, tick)
