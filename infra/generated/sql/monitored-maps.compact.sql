-- @before TIMESTAMP
DELETE FROM `realtime.monitored_maps` AS old
WHERE old.appended_at < @before
  AND EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS newer
    WHERE newer.map_id = old.map_id AND newer.version > old.version AND newer.appended_at < @before
  );
DELETE FROM `realtime.monitored_maps` AS ended
WHERE ended.appended_at < @before AND NOT ended.is_monitored
  AND NOT EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS other
    WHERE other.map_id = ended.map_id AND other.is_monitored
  );
DELETE FROM `realtime.map_cells` AS stored
WHERE stored.appended_at < @before
  AND NOT EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS referring
    WHERE referring.geometry_hash = stored.geometry_hash
  )
