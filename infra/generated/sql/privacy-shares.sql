-- @country STRING
-- @day DATE
SELECT table_name, geo_type, published_rows, withheld_people_percent
FROM `mobility.batch_geo_types`
WHERE batch_date = @day AND country_code = @country AND destination_geo_type IS NULL
QUALIFY version = MAX(version) OVER (PARTITION BY table_name)
