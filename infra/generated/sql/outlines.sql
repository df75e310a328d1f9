-- @country_code STRING
-- @geo_type STRING
-- @ids ARRAY<INT64>
SELECT geo_id, geometry
FROM `mobility.geographies`
WHERE country_code = @country_code AND geo_type = @geo_type AND geo_id IN UNNEST(@ids)
