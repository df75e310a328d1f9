-- @country STRING
-- @batch_date DATE
CREATE OR REPLACE TABLE `staging.import_odm_daily_rows` AS SELECT COALESCE(country_code, @country) AS country_code, COALESCE(batch_date, @batch_date) AS batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh FROM `staging.import_odm_daily`
