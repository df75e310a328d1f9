CREATE OR REPLACE TABLE `staging.import_flows_hourly_made_flows_hourly_batches` (country_code STRING, batch_date DATE);

CREATE OR REPLACE TABLE `staging.import_flows_hourly_made_flows_hourly` AS SELECT country_code, link_id, time_bucket, direction, batch_date, people, road_class FROM `mobility.flows_hourly` WHERE batch_date = "1970-01-01";

DROP TABLE `staging.import_flows_hourly_made_flows_hourly`;

DROP TABLE `staging.import_flows_hourly_made_flows_hourly_batches`
