-- @uid STRING
SELECT COUNT(*) AS count FROM `realtime.headcounts` WHERE uid = @uid
