-- @uid STRING
-- @before TIMESTAMP
SELECT MIN(timestamp) AS oldest, MAX(timestamp) AS newest
FROM `realtime.headcounts`
WHERE uid = @uid AND tick < @before
