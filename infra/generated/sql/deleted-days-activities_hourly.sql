-- @country_code STRING
-- @first_date DATE
-- @last_date DATE
-- @deletion STRING
SELECT table_name, FORMAT_DATE('%F', batch_date) AS period
FROM `intake.batches`
WHERE table_name IN ('activities_hourly', 'activities_daily') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date AND checksum = @deletion
