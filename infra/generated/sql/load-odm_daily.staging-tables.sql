CREATE OR REPLACE TABLE `staging.import_odm_daily_made_odm_daily_batches` (country_code STRING, batch_date DATE);

CREATE OR REPLACE TABLE `staging.import_odm_daily_made_odm_daily` AS SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh FROM `mobility.odm_daily` WHERE batch_date = "1970-01-01";

DROP TABLE `staging.import_odm_daily_made_odm_daily`;

DROP TABLE `staging.import_odm_daily_made_odm_daily_batches`
