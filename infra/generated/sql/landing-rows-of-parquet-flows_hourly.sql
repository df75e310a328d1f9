-- @country STRING
-- @batch_date DATE
CREATE OR REPLACE TABLE `staging.import_flows_hourly_rows` AS SELECT COALESCE(country_code, @country) AS country_code, link_id, time_bucket, direction, people, devices, COALESCE(batch_date, @batch_date) AS batch_date FROM `staging.import_flows_hourly`
