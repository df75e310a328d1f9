-- @tick TIMESTAMP
-- @oldest TIMESTAMP
-- @stale_before TIMESTAMP
-- @tick_0 TIMESTAMP
-- @tick_1 TIMESTAMP
-- @uid STRING
-- @map_id STRING
-- @version INT64
INSERT INTO `realtime.headcounts` (tick, timestamp, uid, target_id, target_name, people_count, result)
WITH rules AS (
  SELECT 'EST' AS country_code, 20 AS people_min
  UNION ALL SELECT 'LAT' AS country_code, 30 AS people_min
  UNION ALL SELECT 'LTU' AS country_code, 60 AS people_min
  UNION ALL SELECT 'NOR' AS country_code, 25 AS people_min
),
versions AS (
  SELECT map_id, MAX(version) AS in_force
  FROM `realtime.monitored_maps`
  WHERE map_id = @map_id
  GROUP BY map_id
  HAVING MAX(version) = @version AND MAX(IF(is_monitored, version, NULL)) = @version
),
appended AS (
  SELECT added.map_id, added.uid, added.name, added.country_code, added.geo_type, added.geo_ids, added.geometry_hash, added.cell_parts,
    ROW_NUMBER() OVER (PARTITION BY added.map_id ORDER BY added.appended_at) AS copy
  FROM `realtime.monitored_maps` AS added
  JOIN versions ON versions.map_id = added.map_id AND versions.in_force = added.version
  WHERE added.is_monitored AND added.map_id = @map_id
),
stored AS (
  SELECT geometry_hash, part, country_code, cells,
    ROW_NUMBER() OVER (PARTITION BY geometry_hash, part ORDER BY appended_at) AS copy
  FROM `realtime.map_cells`
  WHERE geometry_hash IN (SELECT appended.geometry_hash FROM appended) AND uid = @uid
),
maps AS (
  SELECT appended.map_id, appended.uid, appended.name, COALESCE(stored.country_code, appended.country_code) AS country_code,
    appended.geo_type, appended.geo_ids, appended.cell_parts, stored.part, stored.cells
  FROM appended
  LEFT JOIN stored ON stored.geometry_hash = appended.geometry_hash AND stored.copy = 1
  WHERE appended.copy = 1
),
ticks AS (
  SELECT country_code, MAX(tick) AS tick
  FROM `mobility.batches`
  WHERE table_name = 'presence' AND tick IN (@tick_0, @tick_1)
  GROUP BY country_code
),
targets AS (
  SELECT maps.map_id, ANY_VALUE(maps.uid) AS uid, ANY_VALUE(maps.name) AS name, MAX(ticks.tick) AS tick,
    COUNT(maps.part) < MAX(COALESCE(maps.cell_parts, 0)) AS lacks_cells
  FROM maps
  LEFT JOIN ticks ON ticks.country_code = maps.country_code
  GROUP BY maps.map_id
),
covered AS (
  SELECT maps.map_id, maps.country_code, cell.cell_id, cell.weight
  FROM maps, UNNEST(maps.cells) AS cell
  UNION ALL
  SELECT maps.map_id, maps.country_code, inside.cell_id, inside.weight
  FROM maps, UNNEST(maps.geo_ids) AS wanted
  JOIN `mobility.geography_cells` AS inside
    ON inside.country_code = maps.country_code AND inside.geo_type = maps.geo_type AND inside.geo_id = wanted
),
measured AS (
  SELECT presence.country_code, presence.cell_id, presence.people
  FROM `realtime.presence` AS presence
  JOIN (SELECT ticks.country_code, ticks.tick FROM ticks JOIN rules ON rules.country_code = ticks.country_code) AS newest
    ON newest.country_code = presence.country_code AND newest.tick = presence.tick
  WHERE presence.tick IN (@tick_0, @tick_1)
),
counted AS (
  SELECT covered.map_id, covered.country_code, SUM(covered.weight * measured.people) AS people
  FROM covered
  JOIN measured ON measured.country_code = covered.country_code AND measured.cell_id = covered.cell_id
  GROUP BY covered.map_id, covered.country_code
),
uncounted AS (
  SELECT maps.map_id, maps.country_code, maps.geo_type, maps.geo_ids, maps.cells
  FROM maps
  LEFT JOIN counted ON counted.map_id = maps.map_id AND counted.country_code = maps.country_code
  WHERE counted.map_id IS NULL
),
reached AS (
  SELECT map_id, country_code
  FROM counted
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.cells) AS cell
  JOIN `mobility.geography_cells` AS network
    ON network.country_code = uncounted.country_code AND network.geo_type = 'grid_250m' AND network.cell_id = cell.cell_id
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.cells) AS cell
  JOIN `mobility.coverage` AS network
    ON network.country_code = uncounted.country_code AND network.northing = MOD(cell.cell_id, 10000000)
      AND cell.cell_id BETWEEN network.first_cell_id AND network.last_cell_id
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.geo_ids) AS wanted
  JOIN `mobility.geography_cells` AS inside
    ON inside.country_code = uncounted.country_code AND inside.geo_type = uncounted.geo_type AND inside.geo_id = wanted
),
sums AS (
  SELECT reached.map_id, ROUND(SUM(counted.people)) AS people, MAX(rules.people_min) AS people_min, MIN(ticks.tick) AS tick,
    LOGICAL_OR(ticks.tick IS NULL) AS is_without_tick
  FROM reached
  LEFT JOIN counted ON counted.map_id = reached.map_id AND counted.country_code = reached.country_code
  LEFT JOIN rules ON rules.country_code = reached.country_code
  LEFT JOIN ticks ON ticks.country_code = reached.country_code
  GROUP BY reached.map_id
),
judged AS (
  SELECT targets.uid, targets.map_id, targets.name, sums.people, COALESCE(sums.tick, targets.tick, @tick) AS timestamp,
    CASE
      WHEN targets.lacks_cells THEN 'NO_DATA'
      WHEN sums.map_id IS NULL THEN 'OUT_OF_COVERAGE'
      WHEN sums.is_without_tick THEN 'NO_DATA'
      WHEN sums.tick < @stale_before THEN 'STALE'
      WHEN sums.people >= sums.people_min THEN 'SUCCESS'
      ELSE 'SUPPRESSED'
    END AS result
  FROM targets
  LEFT JOIN sums ON sums.map_id = targets.map_id
)
SELECT @tick, timestamp, uid, map_id, name, IF(result = 'SUCCESS', CAST(people AS INT64), 0), result
FROM judged
WHERE NOT EXISTS (
  SELECT 1 FROM `realtime.headcounts` AS done
  WHERE done.tick = @tick AND done.timestamp > @oldest AND done.target_id = judged.map_id
)
