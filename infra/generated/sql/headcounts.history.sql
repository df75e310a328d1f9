-- @uid STRING
-- @map_id STRING
-- @start TIMESTAMP
-- @end TIMESTAMP
-- @rows_max INT64
SELECT timestamp, result, people_count
FROM `realtime.headcounts`
WHERE uid = @uid AND target_id = @map_id AND timestamp >= @start AND timestamp < @end
QUALIFY ROW_NUMBER() OVER (PARTITION BY timestamp, result ORDER BY tick DESC) = 1
ORDER BY timestamp DESC, result
LIMIT @rows_max
