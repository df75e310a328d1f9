-- @before TIMESTAMP
DELETE FROM `realtime.map_cells` AS stored
WHERE stored.appended_at < @before
  AND NOT EXISTS (
    SELECT 1 FROM `realtime.monitored_maps` AS referring
    WHERE referring.geometry_hash = stored.geometry_hash
  )
