-- @uid STRING
-- @before TIMESTAMP
DELETE FROM `realtime.monitored_maps` WHERE uid = @uid AND appended_at < @before
