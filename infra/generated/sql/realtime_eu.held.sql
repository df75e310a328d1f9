-- @first TIMESTAMP
-- @last TIMESTAMP
-- @oldest TIMESTAMP
SELECT tick, target_id
FROM `realtime_eu.headcounts_acmemobility`
WHERE tick >= @first AND tick <= @last AND timestamp > @oldest AND timestamp <= @last
