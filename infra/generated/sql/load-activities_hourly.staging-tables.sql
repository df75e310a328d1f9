CREATE OR REPLACE TABLE `staging.import_activities_hourly_made_activities_hourly_batches` (country_code STRING, batch_date DATE);

CREATE OR REPLACE TABLE `staging.import_activities_hourly_made_activities_hourly` AS SELECT country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices, 0 AS told FROM `mobility.activities_hourly` WHERE batch_date = "1970-01-01";

CREATE OR REPLACE TABLE `staging.import_activities_hourly_made_activities_daily_batches` (country_code STRING, batch_date DATE);

CREATE OR REPLACE TABLE `staging.import_activities_hourly_made_activities_daily` AS SELECT country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices, 0 AS told FROM `mobility.activities_daily` WHERE batch_date = "1970-01-01";

DROP TABLE `staging.import_activities_hourly_made_activities_hourly`;

DROP TABLE `staging.import_activities_hourly_made_activities_hourly_batches`;

DROP TABLE `staging.import_activities_hourly_made_activities_daily`;

DROP TABLE `staging.import_activities_hourly_made_activities_daily_batches`
