-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
-- @protected_0 BOOL
SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period, COUNT(*) AS kept_rows
FROM `staging.import_activities_hourly` AS staged
JOIN (
  SELECT country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date
  FROM `intake.activities_hourly` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, geo_type, geo_id, time_bucket) = 1
) AS old
  ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.geo_type = old.geo_type AND staged.geo_id = old.geo_id AND staged.time_bucket = old.time_bucket
WHERE CASE old.country_code WHEN @country_0 THEN NOT @protected_0 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 END
  AND (staged.people IS DISTINCT FROM old.people OR staged.stays_count IS DISTINCT FROM old.stays_count OR staged.stays_dwell_minutes IS DISTINCT FROM old.stays_dwell_minutes OR staged.stays_devices IS DISTINCT FROM old.stays_devices OR staged.devices IS DISTINCT FROM old.devices)
GROUP BY staged.country_code, staged.batch_date
