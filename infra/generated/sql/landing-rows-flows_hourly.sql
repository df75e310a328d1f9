-- @country STRING
-- @batch_date DATE
CREATE OR REPLACE TABLE `staging.import_flows_hourly_rows` AS SELECT @country AS country_code, link_id, time_bucket, direction, people, devices, @batch_date AS batch_date FROM `staging.import_flows_hourly`
