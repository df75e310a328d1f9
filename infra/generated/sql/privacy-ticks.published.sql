-- @country STRING
-- @first TIMESTAMP
-- @last TIMESTAMP
SELECT CONCAT(FORMAT_TIMESTAMP('%FT%TZ', TIMESTAMP_TRUNC(tick, HOUR)), ' ', CAST(cell_id AS STRING)) AS id, people
FROM `realtime.presence`
WHERE tick >= @first AND tick < @last AND country_code = @country
  AND TIMESTAMP_SUB(tick, INTERVAL 30 MINUTE) = TIMESTAMP_TRUNC(tick, HOUR)
