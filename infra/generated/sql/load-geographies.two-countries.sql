-- @table_name STRING
-- @checksum STRING
-- @country_0 STRING
-- @finest_0 INT64
-- @country_1 STRING
-- @finest_1 INT64
BEGIN TRANSACTION;

DELETE FROM `staging.import_geographies` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum, TRUE AS is_there
    FROM `intake.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date IS NULL AND tick IS NULL
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.country_code = staged.country_code
    AND newest.checksum = @checksum AND newest.is_there
);

DELETE FROM `mobility.geographies` target
WHERE target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_geographies` AS staged WHERE staged.country_code = target.country_code AND staged.geo_type = target.geo_type);

INSERT INTO `mobility.geographies` (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat, geometry, west, south, east, north)
SELECT staged.country_code, staged.geo_type, staged.geo_id, staged.geo_name, staged.parent_id, staged.lon, staged.lat, staged.geometry, (SELECT MIN(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'([^\s(),]+)\s+[^\s(),]+')) AS value) AS west, (SELECT MIN(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'[^\s(),]+\s+([^\s(),]+)')) AS value) AS south, (SELECT MAX(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'([^\s(),]+)\s+[^\s(),]+')) AS value) AS east, (SELECT MAX(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'[^\s(),]+\s+([^\s(),]+)')) AS value) AS north
FROM `staging.import_geographies` AS staged;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, COUNT(*) AS row_count
  FROM `staging.import_geographies`
  GROUP BY country_code
) AS loaded
LEFT JOIN (
  SELECT country_code, MAX(version) AS version
  FROM `intake.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date IS NULL AND tick IS NULL
  GROUP BY country_code
) AS earlier
  ON earlier.country_code = loaded.country_code;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
SELECT
  loaded.country_code, @table_name, CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, COUNT(*) AS row_count
  FROM `staging.import_geographies`
  GROUP BY country_code
) AS loaded
LEFT JOIN (
  SELECT country_code, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date IS NULL AND tick IS NULL
  GROUP BY country_code
) AS earlier
  ON earlier.country_code = loaded.country_code;

DELETE FROM `intake.nesting` WHERE country_code IN (@country_0, @country_1);

INSERT INTO `intake.nesting` (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts)
WITH own AS (
  SELECT
    g.country_code, g.geo_type, g.geo_id, CASE g.geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END AS level, CASE g.country_code WHEN @country_0 THEN @finest_0 WHEN @country_1 THEN @finest_1 END AS finest_level,
    CASE g.geo_type WHEN 'grid_250m' THEN g.geo_id - MOD(DIV(g.geo_id, 10000000), 1000) * 10000000 - MOD(MOD(g.geo_id, 10000000), 1000) WHEN 'grid_1000m' THEN g.geo_id END AS at_1,
    CASE WHEN g.geo_type IN ('grid_250m', 'grid_1000m') THEN g.parent_id WHEN g.geo_type = 'admin_level_4' THEN g.geo_id END AS at_2,
    CASE g.geo_type WHEN 'admin_level_2' THEN g.geo_id WHEN 'admin_level_4' THEN g.parent_id ELSE area.parent_id END AS at_3
  FROM `mobility.geographies` AS g
  LEFT JOIN `mobility.geographies` AS area
    ON area.country_code = g.country_code AND area.geo_type = 'admin_level_4' AND area.geo_id = g.parent_id
  WHERE g.country_code IN (@country_0, @country_1) AND g.geo_type IN ('grid_250m', 'grid_1000m', 'admin_level_4', 'admin_level_2')
),
kilometres AS (
  SELECT country_code, at_1, COUNT(DISTINCT COALESCE(at_2, -1)) AS areas, MIN(at_2) AS at_2, MIN(at_3) AS at_3
  FROM own
  WHERE level = 0 AND finest_level = 0
  GROUP BY country_code, at_1
),
placed AS (
  SELECT
    own.country_code, own.geo_type, own.geo_id, own.level, own.finest_level, own.at_1,
    CASE WHEN own.level <> 1 OR k.areas IS NULL THEN own.at_2 WHEN k.areas = 1 THEN k.at_2 END AS at_2,
    CASE WHEN own.level <> 1 OR k.areas IS NULL THEN own.at_3 WHEN k.areas = 1 THEN k.at_3 END AS at_3,
    own.level = 0 AND k.areas = 1 AND cell.geo_id IS NOT NULL AS is_of_kilometre
  FROM own
  LEFT JOIN kilometres AS k ON k.country_code = own.country_code AND k.at_1 = own.at_1
  LEFT JOIN own AS cell ON cell.country_code = own.country_code AND cell.level = 1 AND cell.geo_id = own.at_1
),
held AS (
  SELECT country_code, 1 AS level, at_1 AS geo_id
  FROM placed
  WHERE is_of_kilometre AND finest_level = 0
  UNION DISTINCT
  SELECT country_code, 2, at_2
  FROM placed
  WHERE level = finest_level AND at_2 IS NOT NULL
),
counted AS (
  SELECT country_code, around, at_id, COUNT(*) AS parts
  FROM (
    SELECT
      placed.country_code, CASE WHEN is_of_kilometre THEN 1 WHEN placed.level < 2 THEN 2 ELSE 3 END AS around,
      CASE WHEN is_of_kilometre THEN at_1 WHEN placed.level < 2 THEN at_2 ELSE at_3 END AS at_id
    FROM placed
    LEFT JOIN held ON held.country_code = placed.country_code AND held.level = placed.level AND held.geo_id = placed.geo_id
    WHERE placed.level < 3 AND (placed.level = finest_level OR (placed.level > finest_level AND held.geo_id IS NOT NULL))
  ) AS parts
  GROUP BY country_code, around, at_id
)
SELECT placed.country_code, placed.geo_type, placed.geo_id, placed.level, placed.at_1, placed.at_2, placed.at_3, COALESCE(counted.parts, 0) AS parts
FROM placed
LEFT JOIN counted ON counted.country_code = placed.country_code AND counted.around = placed.level AND counted.at_id = placed.geo_id;

COMMIT TRANSACTION
