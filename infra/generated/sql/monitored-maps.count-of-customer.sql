-- @uid STRING
-- @before TIMESTAMP
SELECT COUNTIF(appended_at < @before) AS old, COUNTIF(appended_at >= @before) AS recent
FROM `realtime.monitored_maps`
WHERE uid = @uid
