-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
SELECT earlier.country_code, FORMAT_DATE('%F', earlier.batch_date) AS period, COUNT(*) AS hours
FROM (
  SELECT DISTINCT country_code, batch_date, time_bucket
  FROM `intake.activities_hourly` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
) AS earlier
LEFT JOIN (SELECT DISTINCT country_code, batch_date, time_bucket FROM `staging.import_activities_hourly`) AS staged
  ON staged.country_code = earlier.country_code AND staged.batch_date = earlier.batch_date AND staged.time_bucket = earlier.time_bucket
WHERE staged.time_bucket IS NULL
GROUP BY earlier.country_code, earlier.batch_date
ORDER BY earlier.country_code, earlier.batch_date
