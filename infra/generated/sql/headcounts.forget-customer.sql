-- @uid STRING
DELETE FROM `realtime.headcounts` WHERE uid = @uid
