-- @country STRING
-- @day DATE
SELECT link_id, direction, road_class, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS hour, people
FROM `mobility.flows_hourly`
WHERE batch_date = @day AND country_code = @country
