-- @table_name STRING
-- @checksum STRING
-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
BEGIN TRANSACTION;

DELETE FROM `staging.import_odm_daily` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum
    FROM `mobility.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum AND newest.country_code = staged.country_code AND newest.batch_date = staged.batch_date
);

DELETE FROM `mobility.odm_daily` target
WHERE target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_odm_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date);

INSERT INTO `mobility.odm_daily` (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh, publishable)
SELECT staged.country_code, staged.batch_date, staged.origin_geo_type, staged.origin_geo_id, staged.destination_geo_type, staged.destination_geo_id, staged.trips, staged.devices, staged.average_speed_kmh, staged.publishable
FROM (
WITH finest AS (
  SELECT country_code, batch_date, MIN(CASE staged.origin_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END) AS level
  FROM `staging.import_odm_daily` AS staged
  WHERE origin_geo_type = destination_geo_type
  GROUP BY country_code, batch_date
),
pairs AS (
  SELECT
    staged.*, staged.devices >= CASE staged.country_code WHEN @country_0 THEN @k_0 END AS has_devices,
    CASE
      WHEN finest.level IS NULL OR CASE staged.origin_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END IS NULL OR CASE staged.destination_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END IS NULL THEN 'alone'
      WHEN CASE staged.origin_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END = finest.level AND CASE staged.destination_geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END = finest.level THEN 'finest'
      ELSE 'coarser'
    END AS standing
  FROM `staging.import_odm_daily` AS staged
  LEFT JOIN finest ON finest.country_code = staged.country_code AND finest.batch_date = staged.batch_date
),
wanted AS (
  SELECT DISTINCT country_code, batch_date, origin_geo_type, destination_geo_type
  FROM pairs
  WHERE standing = 'coarser'
),
parts AS (
  SELECT
    pairs.country_code, pairs.batch_date, pairs.trips,
    CASE pairs.origin_geo_type WHEN 'grid_250m' THEN pairs.origin_geo_id END AS origin_grid_250m,
    CASE pairs.origin_geo_type WHEN 'grid_250m' THEN pairs.origin_geo_id - MOD(DIV(pairs.origin_geo_id, 10000000), 1000) * 10000000 - MOD(MOD(pairs.origin_geo_id, 10000000), 1000) WHEN 'grid_1000m' THEN pairs.origin_geo_id END AS origin_grid_1000m,
    CASE WHEN pairs.origin_geo_type IN ('grid_250m', 'grid_1000m') THEN origin_geography.parent_id WHEN pairs.origin_geo_type = 'admin_level_4' THEN pairs.origin_geo_id END AS origin_admin_level_4,
    CASE pairs.origin_geo_type WHEN 'admin_level_2' THEN pairs.origin_geo_id WHEN 'admin_level_4' THEN origin_geography.parent_id ELSE origin_area.parent_id END AS origin_admin_level_2,
    CASE pairs.destination_geo_type WHEN 'grid_250m' THEN pairs.destination_geo_id END AS destination_grid_250m,
    CASE pairs.destination_geo_type WHEN 'grid_250m' THEN pairs.destination_geo_id - MOD(DIV(pairs.destination_geo_id, 10000000), 1000) * 10000000 - MOD(MOD(pairs.destination_geo_id, 10000000), 1000) WHEN 'grid_1000m' THEN pairs.destination_geo_id END AS destination_grid_1000m,
    CASE WHEN pairs.destination_geo_type IN ('grid_250m', 'grid_1000m') THEN destination_geography.parent_id WHEN pairs.destination_geo_type = 'admin_level_4' THEN pairs.destination_geo_id END AS destination_admin_level_4,
    CASE pairs.destination_geo_type WHEN 'admin_level_2' THEN pairs.destination_geo_id WHEN 'admin_level_4' THEN destination_geography.parent_id ELSE destination_area.parent_id END AS destination_admin_level_2
  FROM pairs
  LEFT JOIN `mobility.geographies` AS origin_geography
    ON origin_geography.country_code = pairs.country_code AND origin_geography.geo_type = pairs.origin_geo_type AND origin_geography.geo_id = pairs.origin_geo_id
  LEFT JOIN `mobility.geographies` AS origin_area
    ON origin_area.country_code = pairs.country_code AND origin_area.geo_type = 'admin_level_4' AND origin_area.geo_id = origin_geography.parent_id
  LEFT JOIN `mobility.geographies` AS destination_geography
    ON destination_geography.country_code = pairs.country_code AND destination_geography.geo_type = pairs.destination_geo_type AND destination_geography.geo_id = pairs.destination_geo_id
  LEFT JOIN `mobility.geographies` AS destination_area
    ON destination_area.country_code = pairs.country_code AND destination_area.geo_type = 'admin_level_4' AND destination_area.geo_id = destination_geography.parent_id
  WHERE pairs.standing = 'finest' AND pairs.has_devices
),
sums AS (
  SELECT
    wanted.country_code, wanted.batch_date, wanted.origin_geo_type, wanted.destination_geo_type,
    CASE wanted.origin_geo_type WHEN 'grid_250m' THEN parts.origin_grid_250m WHEN 'grid_1000m' THEN parts.origin_grid_1000m WHEN 'admin_level_4' THEN parts.origin_admin_level_4 WHEN 'admin_level_2' THEN parts.origin_admin_level_2 END AS origin_geo_id,
    CASE wanted.destination_geo_type WHEN 'grid_250m' THEN parts.destination_grid_250m WHEN 'grid_1000m' THEN parts.destination_grid_1000m WHEN 'admin_level_4' THEN parts.destination_admin_level_4 WHEN 'admin_level_2' THEN parts.destination_admin_level_2 END AS destination_geo_id,
    COUNT(*) AS parts_count,
    SUM(parts.trips) AS trips
  FROM parts
  JOIN wanted ON wanted.country_code = parts.country_code AND wanted.batch_date = parts.batch_date
  GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT
  pairs.country_code, pairs.batch_date, pairs.origin_geo_type, pairs.origin_geo_id, pairs.destination_geo_type, pairs.destination_geo_id, IF(pairs.standing = 'coarser', COALESCE(sums.trips, 0), pairs.trips) AS trips, pairs.devices, pairs.average_speed_kmh,
  pairs.has_devices AND (pairs.standing <> 'coarser' OR sums.parts_count IS NOT NULL) AS publishable
FROM pairs
LEFT JOIN sums ON sums.country_code = pairs.country_code AND sums.batch_date = pairs.batch_date AND sums.origin_geo_type = pairs.origin_geo_type AND sums.destination_geo_type = pairs.destination_geo_type AND sums.origin_geo_id = pairs.origin_geo_id AND sums.destination_geo_id = pairs.destination_geo_id
) AS staged;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, loaded.suppressed_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT target.country_code, target.batch_date, COUNT(*) AS row_count, COUNTIF(NOT target.publishable) AS suppressed_count
  FROM `mobility.odm_daily` AS target
  WHERE target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_odm_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  GROUP BY target.country_code, target.batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date;

COMMIT TRANSACTION
