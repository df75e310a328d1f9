-- @before TIMESTAMP
DELETE FROM `realtime.monitored_maps` AS ended
WHERE ended.appended_at < @before AND NOT ended.is_monitored
  AND NOT EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS other
    WHERE other.map_id = ended.map_id AND other.is_monitored
  )
