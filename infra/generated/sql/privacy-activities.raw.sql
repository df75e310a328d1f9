-- @country STRING
-- @day DATE
SELECT
  geo_type, geo_id, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices
FROM `intake.activities_daily`
WHERE batch_date = @day AND country_code = @country AND loaded_on > "1970-01-01"
