-- @uid STRING
DELETE FROM `realtime_eu.headcounts` WHERE uid = @uid
