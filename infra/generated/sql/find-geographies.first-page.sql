-- @country_code STRING
-- @geo_type STRING
-- @rows_max INT64
SELECT geo_id, geo_name, lon, lat, geometry
FROM `mobility.geographies`
WHERE country_code = @country_code AND geo_type = @geo_type
ORDER BY geo_id
LIMIT @rows_max
