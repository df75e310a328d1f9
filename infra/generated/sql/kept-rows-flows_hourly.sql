-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
-- @protected_0 BOOL
SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period, COUNT(*) AS kept_rows
FROM `staging.import_flows_hourly` AS staged
JOIN (
  SELECT country_code, link_id, time_bucket, direction, people, devices, batch_date
  FROM `intake.flows_hourly` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, link_id, time_bucket, direction) = 1
) AS old
  ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.link_id = old.link_id AND staged.time_bucket = old.time_bucket AND staged.direction = old.direction
WHERE CASE old.country_code WHEN @country_0 THEN NOT @protected_0 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 END
  AND (staged.people IS DISTINCT FROM old.people OR staged.devices IS DISTINCT FROM old.devices)
GROUP BY staged.country_code, staged.batch_date
