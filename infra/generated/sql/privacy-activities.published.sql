-- @country STRING
-- @day DATE
SELECT
  geo_type, geo_id, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS bucket, people, stays_count, stays_dwell_minutes, stays_devices
FROM `mobility.activities_hourly`
WHERE batch_date = @day AND country_code = @country
