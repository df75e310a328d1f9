-- @uid STRING
-- @before TIMESTAMP
-- @from TIMESTAMP
-- @to TIMESTAMP
SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM `realtime.headcounts`
WHERE uid = @uid AND tick < @before AND timestamp >= @from AND timestamp < @to
