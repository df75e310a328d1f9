-- @country STRING
-- @day DATE
SELECT origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, average_speed_kmh, devices
FROM `intake.odm_daily`
WHERE batch_date = @day AND country_code = @country AND loaded_on > "1970-01-01"
