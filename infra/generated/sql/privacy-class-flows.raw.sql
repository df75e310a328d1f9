-- @country STRING
-- @day DATE
SELECT flow.link_id, flow.direction, link.class AS road_class, FORMAT_TIMESTAMP('%FT%TZ', time_bucket) AS hour, flow.people, flow.devices
FROM `intake.flows_hourly` AS flow
JOIN `mobility.road_links` AS link ON link.country_code = flow.country_code AND link.link_id = flow.link_id
WHERE flow.batch_date = @day AND flow.country_code = @country AND flow.loaded_on > "1970-01-01"
