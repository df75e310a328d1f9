-- @tick TIMESTAMP
-- @oldest TIMESTAMP
-- @carry_since TIMESTAMP
-- @interval_ms INT64
SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM `realtime.headcounts`
WHERE timestamp > @oldest AND timestamp <= @tick
  AND (tick = @tick OR (tick > @carry_since AND tick < @tick AND MOD(UNIX_MILLIS(tick), @interval_ms) != 0))
ORDER BY uid, target_name, target_id, tick
