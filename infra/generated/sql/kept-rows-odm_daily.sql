-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
-- @protected_0 BOOL
SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period, COUNT(*) AS kept_rows
FROM `staging.import_odm_daily` AS staged
JOIN (
  SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh
  FROM `intake.odm_daily` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_odm_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id) = 1
) AS old
  ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.origin_geo_type = old.origin_geo_type AND staged.origin_geo_id = old.origin_geo_id AND staged.destination_geo_type = old.destination_geo_type AND staged.destination_geo_id = old.destination_geo_id
WHERE CASE old.country_code WHEN @country_0 THEN NOT @protected_0 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 END
  AND (staged.trips IS DISTINCT FROM old.trips OR staged.devices IS DISTINCT FROM old.devices OR staged.average_speed_kmh IS DISTINCT FROM old.average_speed_kmh)
GROUP BY staged.country_code, staged.batch_date
