-- @tick TIMESTAMP
-- @oldest TIMESTAMP
SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM `realtime.headcounts`
WHERE tick = @tick AND timestamp > @oldest AND timestamp <= @tick
ORDER BY uid, target_name, target_id
