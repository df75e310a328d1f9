-- @oldest TIMESTAMP
-- @last TIMESTAMP
-- @carry_since TIMESTAMP
-- @uids ARRAY<STRING>
SELECT tick, timestamp, uid, target_id, target_name, people_count, result
FROM `realtime.headcounts`
WHERE timestamp > @oldest AND timestamp <= @last AND tick > @carry_since AND tick <= @last AND uid IN UNNEST(@uids)
