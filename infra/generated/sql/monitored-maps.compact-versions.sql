-- @before TIMESTAMP
DELETE FROM `realtime.monitored_maps` AS old
WHERE old.appended_at < @before
  AND EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS newer
    WHERE newer.map_id = old.map_id AND newer.version > old.version AND newer.appended_at < @before
  )
