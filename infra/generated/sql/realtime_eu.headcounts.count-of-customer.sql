-- @uid STRING
SELECT COUNT(*) AS count FROM `realtime_eu.headcounts` WHERE uid = @uid
