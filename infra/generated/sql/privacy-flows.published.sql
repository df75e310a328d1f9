-- @country STRING
-- @day DATE
SELECT CONCAT(CAST(link_id AS STRING), ' ', FORMAT_TIMESTAMP('%FT%TZ', time_bucket), ' ', CAST(direction AS STRING)) AS id, people
FROM `mobility.flows_hourly`
WHERE batch_date = @day AND country_code = @country
