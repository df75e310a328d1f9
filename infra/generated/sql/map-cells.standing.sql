-- @uid STRING
-- @geometry_hash STRING
-- @since TIMESTAMP
SELECT stored.part, MAX(stored.parts) AS parts
FROM `realtime.map_cells` AS stored
WHERE stored.uid = @uid AND stored.geometry_hash = @geometry_hash
  AND (stored.appended_at >= @since OR stored.geometry_hash IN (
    SELECT referring.geometry_hash
    FROM `realtime.monitored_maps` AS referring
    WHERE referring.uid = @uid AND referring.geometry_hash = @geometry_hash
      AND NOT EXISTS (
        SELECT 1 FROM `realtime.monitored_maps` AS newer
        WHERE newer.map_id = referring.map_id AND newer.version > referring.version AND newer.appended_at < @since
      )
  ))
GROUP BY stored.part
ORDER BY stored.part
