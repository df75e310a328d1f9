-- @table_name STRING
-- @checksum STRING
-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
-- @step_0 INT64
-- @device_step_0 INT64
-- @people_of_device_0 FLOAT64
-- @finest_0 INT64
-- @protected_0 BOOL
BEGIN TRANSACTION;

DELETE FROM `staging.import_odm_daily` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum, DATE_DIFF(CURRENT_DATE(), DATE(loaded_at), DAY) < 14 AS is_there
    FROM `intake.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.country_code = staged.country_code AND newest.batch_date = staged.batch_date
    AND newest.checksum = @checksum AND newest.is_there
);

MERGE `staging.import_odm_daily` AS staged
USING (
  SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh
  FROM `intake.odm_daily` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_odm_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id) = 1
) AS old
ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.origin_geo_type = old.origin_geo_type AND staged.origin_geo_id = old.origin_geo_id AND staged.destination_geo_type = old.destination_geo_type AND staged.destination_geo_id = old.destination_geo_id
WHEN MATCHED AND CASE old.country_code WHEN @country_0 THEN NOT @protected_0 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 END THEN
  UPDATE SET trips = old.trips, devices = old.devices, average_speed_kmh = old.average_speed_kmh;

DELETE FROM `intake.odm_daily` target
WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_odm_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date);

INSERT INTO `intake.odm_daily` (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh, loaded_on)
SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh, CURRENT_DATE()
FROM `staging.import_odm_daily`;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, batch_date, COUNT(*) AS row_count
  FROM `staging.import_odm_daily`
  GROUP BY country_code, batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `intake.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date;

INSERT INTO `staging.import_odm_daily_odm_daily_batches` (country_code, batch_date)
SELECT staged.country_code, staged.batch_date
FROM (SELECT DISTINCT country_code, batch_date FROM `staging.import_odm_daily`) AS staged;

INSERT INTO `staging.import_odm_daily_odm_daily` (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh)
WITH rules AS (
  SELECT @country_0 AS country_code, @k_0 AS k, @step_0 AS step, @device_step_0 AS device_step, @people_of_device_0 AS people_of_device, @finest_0 AS finest_level, @protected_0 AS is_protected
),
typed AS (
  SELECT raw.*, CASE raw.origin_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END AS origin_level, CASE raw.destination_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END AS destination_level
  FROM `staging.import_odm_daily` AS raw
),
told AS (
  SELECT raw.country_code, raw.batch_date, raw.origin_geo_type, raw.destination_geo_type, raw.origin_geo_id, raw.destination_geo_id, IF(raw.trips > 0, GREATEST(rules.step, DIV(2 * raw.trips + rules.step, 2 * rules.step) * rules.step), raw.trips) AS trips, IF(NOT rules.is_protected AND rules.finest_level >= 0 AND (raw.origin_level IS NULL OR raw.destination_level IS NULL), NULL, IF(rules.is_protected, raw.average_speed_kmh, ROUND(raw.average_speed_kmh))) AS average_speed_kmh
  FROM typed AS raw
  JOIN rules ON rules.country_code = raw.country_code
  WHERE raw.devices >= rules.k AND COALESCE(raw.origin_level, rules.finest_level) >= rules.finest_level AND COALESCE(raw.destination_level, rules.finest_level) >= rules.finest_level AND (rules.is_protected OR COALESCE(raw.origin_level, rules.finest_level) = rules.finest_level AND COALESCE(raw.destination_level, rules.finest_level) = rules.finest_level)
),
coarser AS (
  SELECT DISTINCT raw.country_code, raw.batch_date, raw.origin_geo_type, raw.destination_geo_type, IF(raw.origin_level IS NULL, raw.origin_geo_type, CASE rules.finest_level WHEN 0 THEN 'grid_250m' WHEN 1 THEN 'grid_1000m' WHEN 2 THEN 'admin_level_4' WHEN 3 THEN 'admin_level_2' END) AS origin_part_type, IF(raw.destination_level IS NULL, raw.destination_geo_type, CASE rules.finest_level WHEN 0 THEN 'grid_250m' WHEN 1 THEN 'grid_1000m' WHEN 2 THEN 'admin_level_4' WHEN 3 THEN 'admin_level_2' END) AS destination_part_type
  FROM typed AS raw
  JOIN rules ON rules.country_code = raw.country_code
  WHERE NOT rules.is_protected AND COALESCE(raw.origin_level, rules.finest_level) >= rules.finest_level AND COALESCE(raw.destination_level, rules.finest_level) >= rules.finest_level AND (raw.origin_level > rules.finest_level OR raw.destination_level > rules.finest_level)
),
parts AS (
  SELECT
    part.country_code, part.batch_date, whole.origin_geo_type, whole.destination_geo_type, part.trips, part.average_speed_kmh,
    CASE whole.origin_geo_type WHEN part.origin_geo_type THEN part.origin_geo_id WHEN 'grid_1000m' THEN origin.at_1 WHEN 'admin_level_4' THEN origin.at_2 WHEN 'admin_level_2' THEN origin.at_3 END AS origin_geo_id,
    CASE whole.destination_geo_type WHEN part.destination_geo_type THEN part.destination_geo_id WHEN 'grid_1000m' THEN destination.at_1 WHEN 'admin_level_4' THEN destination.at_2 WHEN 'admin_level_2' THEN destination.at_3 END AS destination_geo_id
  FROM told AS part
  JOIN coarser AS whole ON whole.country_code = part.country_code AND whole.batch_date = part.batch_date
    AND whole.origin_part_type = part.origin_geo_type AND whole.destination_part_type = part.destination_geo_type
  LEFT JOIN `intake.nesting` AS origin
    ON origin.country_code = part.country_code AND origin.geo_type = part.origin_geo_type AND origin.geo_id = part.origin_geo_id
  LEFT JOIN `intake.nesting` AS destination
    ON destination.country_code = part.country_code AND destination.geo_type = part.destination_geo_type AND destination.geo_id = part.destination_geo_id
),
pairs AS (
  SELECT country_code, batch_date, origin_geo_type, destination_geo_type, origin_geo_id, destination_geo_id, trips, average_speed_kmh
  FROM told
  UNION ALL
  SELECT country_code, batch_date, origin_geo_type, destination_geo_type, origin_geo_id, destination_geo_id, SUM(trips) AS trips, ROUND(SUM(CAST(ROUND(average_speed_kmh * 1000) AS INT64) * trips) / NULLIF(SUM(IF(average_speed_kmh IS NULL, 0, trips)), 0)) / 1000 AS average_speed_kmh
  FROM parts
  WHERE origin_geo_id IS NOT NULL AND destination_geo_id IS NOT NULL
  GROUP BY country_code, batch_date, origin_geo_type, destination_geo_type, origin_geo_id, destination_geo_id
)
SELECT pairs.country_code, pairs.batch_date, pairs.origin_geo_type, pairs.origin_geo_id, pairs.destination_geo_type, pairs.destination_geo_id, pairs.trips, CAST(NULL AS FLOAT64) AS general_distance_m, pairs.average_speed_kmh
FROM pairs;

MERGE `staging.import_odm_daily_odm_daily` AS fresh
USING (
  SELECT standing.country_code, standing.batch_date, standing.origin_geo_type, standing.origin_geo_id, standing.destination_geo_type, standing.destination_geo_id, standing.trips, standing.general_distance_m, standing.average_speed_kmh
  FROM `mobility.odm_daily` AS standing
  JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM (
      SELECT
        country_code, batch_date, DATE(loaded_at) AS loaded_on,
        LAG(DATE(loaded_at)) OVER (PARTITION BY country_code, batch_date ORDER BY loaded_at) AS earlier
      FROM `intake.batches`
      WHERE table_name = 'odm_daily' AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
    ) AS loads
    WHERE DATE_DIFF(loaded_on, earlier, DAY) >= 14
  ) AS again
    ON again.country_code = standing.country_code AND again.batch_date = standing.batch_date
  WHERE standing.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_odm_daily_odm_daily_batches` AS batch WHERE batch.country_code = standing.country_code AND batch.batch_date = standing.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY standing.country_code, standing.batch_date, standing.origin_geo_type, standing.origin_geo_id, standing.destination_geo_type, standing.destination_geo_id) = 1
) AS standing
ON fresh.country_code = standing.country_code AND fresh.batch_date = standing.batch_date AND fresh.origin_geo_type = standing.origin_geo_type AND fresh.origin_geo_id = standing.origin_geo_id AND fresh.destination_geo_type = standing.destination_geo_type AND fresh.destination_geo_id = standing.destination_geo_id
WHEN MATCHED AND CASE standing.country_code WHEN @country_0 THEN NOT @protected_0 END THEN
  UPDATE SET trips = IF(ABS(fresh.trips - standing.trips) <= CASE standing.country_code WHEN @country_0 THEN @step_0 END AND MOD(standing.trips, CASE standing.country_code WHEN @country_0 THEN @step_0 END) = 0, standing.trips, fresh.trips);

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, bytes, loaded_at)
WITH earlier AS (
  SELECT country_code, batch_date, MAX(version) AS version, MAX(IF(is_deleted, version, NULL)) AS deleted_version
  FROM `mobility.batches`
  WHERE table_name = 'odm_daily' AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
fresh AS (
  SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh
  FROM `staging.import_odm_daily_odm_daily` AS decided
  WHERE COALESCE(decided.batch_date IN (SELECT batch_date FROM earlier), FALSE)
),
standing AS (
  SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh
  FROM `mobility.odm_daily` AS published
  WHERE published.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_odm_daily_odm_daily_batches` AS batch WHERE batch.country_code = published.country_code AND batch.batch_date = published.batch_date)
),
changed AS (
  (SELECT * FROM fresh EXCEPT DISTINCT SELECT * FROM standing)
  UNION ALL
  (SELECT * FROM standing EXCEPT DISTINCT SELECT * FROM fresh)
)
SELECT
  batch.country_code, 'odm_daily', batch.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  COALESCE(counted.row_count, 0), COALESCE(counted.bytes, 0), CURRENT_TIMESTAMP()
FROM `staging.import_odm_daily_odm_daily_batches` AS batch
LEFT JOIN (
  SELECT country_code, batch_date, COUNT(*) AS row_count, SUM(54 + LENGTH(country_code) + LENGTH(origin_geo_type) + LENGTH(destination_geo_type)) AS bytes
  FROM `staging.import_odm_daily_odm_daily` AS decided
  GROUP BY country_code, batch_date
) AS counted
  ON counted.country_code = batch.country_code AND counted.batch_date = batch.batch_date
LEFT JOIN earlier
  ON earlier.country_code = batch.country_code AND earlier.batch_date = batch.batch_date
WHERE earlier.version IS NULL OR earlier.version = earlier.deleted_version
  OR EXISTS (SELECT 1 FROM changed WHERE changed.country_code = batch.country_code AND changed.batch_date = batch.batch_date);

INSERT INTO `mobility.batch_geo_types` (country_code, table_name, batch_date, version, geo_type, destination_geo_type, published_rows, withheld_people_percent)
WITH newest AS (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = 'odm_daily' AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
told AS (
  SELECT country_code, batch_date, origin_geo_type AS type_0, destination_geo_type AS type_1, COUNT(*) AS number, COUNT(*) AS places, SUM(trips) AS people
  FROM `staging.import_odm_daily_odm_daily` AS decided
  GROUP BY country_code, batch_date, type_0, type_1
),
delivered AS (
  SELECT country_code, batch_date, origin_geo_type AS type_0, destination_geo_type AS type_1, SUM(trips) AS people
  FROM `staging.import_odm_daily` AS raw
  GROUP BY country_code, batch_date, type_0, type_1
),
places AS (
  SELECT country_code, geo_type AS type, COUNT(*) AS number FROM `mobility.geographies` GROUP BY country_code, geo_type
)
SELECT
  told.country_code, 'odm_daily', told.batch_date, newest.version, told.type_0, told.type_1, told.number,
  IF(places_0.number * places_1.number - told.places >= 50 AND told.people >= 100 * CASE told.country_code WHEN @country_0 THEN @step_0 END AND CASE told.country_code WHEN @country_0 THEN @step_0 END >= CASE told.country_code WHEN @country_0 THEN @k_0 END, GREATEST(0, CAST(ROUND(100 * (1 - told.people / NULLIF(delivered.people, 0))) AS INT64)), NULL)
FROM told
JOIN newest ON newest.country_code = told.country_code AND newest.batch_date = told.batch_date
LEFT JOIN delivered ON delivered.country_code = told.country_code AND delivered.batch_date = told.batch_date AND delivered.type_0 = told.type_0 AND delivered.type_1 = told.type_1
LEFT JOIN places AS places_0 ON places_0.country_code = told.country_code AND places_0.type = told.type_0
LEFT JOIN places AS places_1 ON places_1.country_code = told.country_code AND places_1.type = told.type_1
WHERE NOT EXISTS (
  SELECT 1 FROM `mobility.batch_geo_types` AS noted
  WHERE noted.table_name = 'odm_daily' AND noted.country_code = told.country_code AND noted.batch_date = told.batch_date AND noted.version = newest.version
);

DELETE FROM `mobility.odm_daily` target
WHERE target.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_odm_daily_odm_daily_batches` AS batch WHERE batch.country_code = target.country_code AND batch.batch_date = target.batch_date);

INSERT INTO `mobility.odm_daily` (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh)
SELECT country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, general_distance_m, average_speed_kmh
FROM `staging.import_odm_daily_odm_daily` AS decided;

COMMIT TRANSACTION
