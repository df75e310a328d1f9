-- @country STRING
SELECT geo_type, geo_id, parent_id, lon, lat FROM `mobility.geographies` WHERE country_code = @country
