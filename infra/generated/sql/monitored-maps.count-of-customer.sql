-- @uid STRING
-- @before TIMESTAMP
SELECT COUNTIF(appended_at < @before) AS old, COUNTIF(appended_at >= @before) AS recent
FROM (
  SELECT appended_at FROM `realtime.monitored_maps` WHERE uid = @uid
  UNION ALL
  SELECT appended_at FROM `realtime.map_cells` WHERE uid = @uid
)
