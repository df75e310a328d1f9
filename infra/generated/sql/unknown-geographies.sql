-- @ids ARRAY<INT64>
-- @country_code STRING
-- @geo_type STRING
SELECT id
FROM UNNEST(@ids) AS id
WHERE id NOT IN (SELECT geo_id FROM `mobility.geographies` WHERE country_code = @country_code AND geo_type = @geo_type)
ORDER BY id
