-- @country STRING
-- @batch_date DATE
CREATE OR REPLACE TABLE `staging.import_activities_hourly_rows` AS SELECT COALESCE(country_code, @country) AS country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, COALESCE(batch_date, @batch_date) AS batch_date FROM `staging.import_activities_hourly`
