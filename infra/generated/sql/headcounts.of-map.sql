-- @tick TIMESTAMP
-- @oldest TIMESTAMP
-- @uid STRING
-- @map_id STRING
SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM `realtime.headcounts`
WHERE tick = @tick AND timestamp > @oldest AND timestamp <= @tick AND uid = @uid AND target_id = @map_id
