-- @country_code STRING
-- @geo_type STRING
SELECT COUNT(*) AS geographies
FROM `mobility.geographies`
WHERE country_code = @country_code AND geo_type = @geo_type
