-- @uid STRING
-- @before TIMESTAMP
DELETE FROM `realtime.map_cells` WHERE uid = @uid AND appended_at < @before
