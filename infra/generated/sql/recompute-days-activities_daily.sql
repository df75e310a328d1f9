-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @k_0 INT64
BEGIN TRANSACTION;

MERGE `mobility.activities_daily` AS target
USING (
WITH own AS (
  SELECT day.country_code, day.batch_date, day.time_bucket, day.geo_type, day.geo_id, day.devices, IF(hourly.country_code IS NULL, day.stays_dwell_minutes, COALESCE(hours.stays_dwell_minutes, 0)) AS stays_dwell_minutes
  FROM (
    SELECT target.country_code, target.batch_date, target.time_bucket, target.geo_type, target.geo_id, target.devices, target.stays_dwell_minutes
    FROM `mobility.activities_daily` AS target
    WHERE target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  ) AS day
  LEFT JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM `mobility.batches`
    WHERE table_name = 'activities_hourly' AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  ) AS hourly ON hourly.country_code = day.country_code AND hourly.batch_date = day.batch_date
  LEFT JOIN (
    SELECT country_code, batch_date, geo_type, geo_id, SUM(stays_dwell_minutes) AS stays_dwell_minutes
    FROM `mobility.activities_hourly`
    WHERE country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date AND publishable
    GROUP BY country_code, batch_date, geo_type, geo_id
  ) AS hours
    ON hours.country_code = day.country_code AND hours.batch_date = day.batch_date
      AND hours.geo_type = day.geo_type AND hours.geo_id = day.geo_id
),
placed AS (
  SELECT
    own.*, CASE own.country_code WHEN @country_0 THEN @k_0 END AS k, CASE own.geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END AS level,
    CASE own.geo_type WHEN 'grid_250m' THEN own.geo_id - MOD(DIV(own.geo_id, 10000000), 1000) * 10000000 - MOD(MOD(own.geo_id, 10000000), 1000) WHEN 'grid_1000m' THEN own.geo_id END AS at_1,
    CASE WHEN own.geo_type IN ('grid_250m', 'grid_1000m') THEN geography.parent_id WHEN own.geo_type = 'admin_level_4' THEN own.geo_id END AS at_2,
    CASE own.geo_type WHEN 'admin_level_2' THEN own.geo_id WHEN 'admin_level_4' THEN geography.parent_id ELSE area.parent_id END AS at_3
  FROM own
  LEFT JOIN `mobility.geographies` AS geography
    ON geography.country_code = own.country_code AND geography.geo_type = own.geo_type AND geography.geo_id = own.geo_id
  LEFT JOIN `mobility.geographies` AS area
    ON area.country_code = own.country_code AND area.geo_type = 'admin_level_4' AND area.geo_id = geography.parent_id
  WHERE own.geo_type IN ('grid_250m', 'grid_1000m', 'admin_level_4', 'admin_level_2')
),
decided_0 AS (
  SELECT
    country_code, batch_date, time_bucket, level, k, at_1, at_2, at_3,
    ANY_VALUE(geo_type) AS geo_type, ANY_VALUE(geo_id) AS geo_id, ANY_VALUE(devices) AS devices,
    SUM(IF(level > 0 OR devices >= k, stays_dwell_minutes, 0)) AS stays_dwell_minutes,
    level = 0 AS counted, FALSE AS publishable,
    SUM(IF(level = 0, devices, 0)) AS listed, SUM(IF(level = 0 AND devices < k, devices, 0)) AS hidden
  FROM placed
  GROUP BY country_code, batch_date, time_bucket, level, k, at_1, at_2, at_3
),
around_1 AS (
  SELECT
    *, MAX(IF(level = 1, devices, NULL)) OVER (PARTITION BY country_code, time_bucket, at_1) AS around_devices,
    SUM(listed) OVER (PARTITION BY country_code, time_bucket, at_1) AS parts_listed, SUM(hidden) OVER (PARTITION BY country_code, time_bucket, at_1) AS parts_hidden,
    COUNTIF(hidden > 0 AND hidden < k) OVER (PARTITION BY country_code, time_bucket, at_1) > 0 AS has_weak_part,
    MIN(COALESCE(at_2, -1)) OVER (PARTITION BY country_code, time_bucket, at_1) <> MAX(COALESCE(at_2, -1)) OVER (PARTITION BY country_code, time_bucket, at_1) AS straddles,
    SUM(IF(counted, stays_dwell_minutes, 0)) OVER (PARTITION BY country_code, time_bucket, at_1) AS parts_stays_dwell_minutes,
    COUNTIF(level < 1) OVER (PARTITION BY country_code, batch_date, at_1) > 0 AS has_parts
  FROM decided_0
),
left_1 AS (
  SELECT *, IF(parts_hidden > 0, parts_hidden, GREATEST(around_devices - parts_listed, 0)) AS left_hidden
  FROM around_1
),
ruled_1 AS (
  SELECT
    *, around_devices >= k AND NOT (left_hidden > 0 AND left_hidden < k) AND NOT (straddles AND has_weak_part) AS around_publishable
  FROM left_1
),
decided_1 AS (
  SELECT * EXCEPT (around_devices, parts_listed, parts_hidden, has_weak_part, straddles, has_parts, left_hidden, around_publishable, parts_stays_dwell_minutes) REPLACE (
    IF(level = 1 AND has_parts, parts_stays_dwell_minutes, stays_dwell_minutes) AS stays_dwell_minutes,
    IF(level = 1, around_publishable AND NOT has_parts, counted) AS counted,
    IF(level = 1, around_publishable, publishable) AS publishable,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 1) THEN listed
      WHEN level < 1 OR straddles THEN 0
      ELSE devices
    END AS listed,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 1 AND NOT around_publishable) THEN hidden
      WHEN level < 1 OR straddles OR around_publishable THEN 0
      ELSE LEAST(devices, left_hidden)
    END AS hidden
  )
  FROM ruled_1
),
around_2 AS (
  SELECT
    *, MAX(IF(level = 2, devices, NULL)) OVER (PARTITION BY country_code, time_bucket, at_2) AS around_devices,
    SUM(listed) OVER (PARTITION BY country_code, time_bucket, at_2) AS parts_listed, SUM(hidden) OVER (PARTITION BY country_code, time_bucket, at_2) AS parts_hidden,
    COUNTIF(hidden > 0 AND hidden < k) OVER (PARTITION BY country_code, time_bucket, at_2) > 0 AS has_weak_part,
    MIN(COALESCE(at_3, -1)) OVER (PARTITION BY country_code, time_bucket, at_2) <> MAX(COALESCE(at_3, -1)) OVER (PARTITION BY country_code, time_bucket, at_2) AS straddles,
    SUM(IF(counted, stays_dwell_minutes, 0)) OVER (PARTITION BY country_code, time_bucket, at_2) AS parts_stays_dwell_minutes,
    COUNTIF(level < 2) OVER (PARTITION BY country_code, batch_date, at_2) > 0 AS has_parts
  FROM decided_1
),
left_2 AS (
  SELECT *, IF(parts_hidden > 0, parts_hidden, GREATEST(around_devices - parts_listed, 0)) AS left_hidden
  FROM around_2
),
ruled_2 AS (
  SELECT
    *, around_devices >= k AND NOT (left_hidden > 0 AND left_hidden < k) AND NOT (straddles AND has_weak_part) AS around_publishable
  FROM left_2
),
decided_2 AS (
  SELECT * EXCEPT (around_devices, parts_listed, parts_hidden, has_weak_part, straddles, has_parts, left_hidden, around_publishable, parts_stays_dwell_minutes) REPLACE (
    IF(level = 2 AND has_parts, parts_stays_dwell_minutes, stays_dwell_minutes) AS stays_dwell_minutes,
    IF(level = 2, around_publishable AND NOT has_parts, counted) AS counted,
    IF(level = 2, around_publishable, publishable) AS publishable,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 2) THEN listed
      WHEN level < 2 OR straddles THEN 0
      ELSE devices
    END AS listed,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 2 AND NOT around_publishable) THEN hidden
      WHEN level < 2 OR straddles OR around_publishable THEN 0
      ELSE LEAST(devices, left_hidden)
    END AS hidden
  )
  FROM ruled_2
),
around_3 AS (
  SELECT
    *, MAX(IF(level = 3, devices, NULL)) OVER (PARTITION BY country_code, time_bucket, at_3) AS around_devices,
    SUM(listed) OVER (PARTITION BY country_code, time_bucket, at_3) AS parts_listed, SUM(hidden) OVER (PARTITION BY country_code, time_bucket, at_3) AS parts_hidden,
    COUNTIF(hidden > 0 AND hidden < k) OVER (PARTITION BY country_code, time_bucket, at_3) > 0 AS has_weak_part,
    FALSE AS straddles,
    SUM(IF(counted, stays_dwell_minutes, 0)) OVER (PARTITION BY country_code, time_bucket, at_3) AS parts_stays_dwell_minutes,
    COUNTIF(level < 3) OVER (PARTITION BY country_code, batch_date, at_3) > 0 AS has_parts
  FROM decided_2
),
left_3 AS (
  SELECT *, IF(parts_hidden > 0, parts_hidden, GREATEST(around_devices - parts_listed, 0)) AS left_hidden
  FROM around_3
),
ruled_3 AS (
  SELECT
    *, around_devices >= k AND NOT (left_hidden > 0 AND left_hidden < k) AND NOT (straddles AND has_weak_part) AS around_publishable
  FROM left_3
),
decided_3 AS (
  SELECT * EXCEPT (around_devices, parts_listed, parts_hidden, has_weak_part, straddles, has_parts, left_hidden, around_publishable, parts_stays_dwell_minutes) REPLACE (
    IF(level = 3 AND has_parts, parts_stays_dwell_minutes, stays_dwell_minutes) AS stays_dwell_minutes,
    IF(level = 3, around_publishable AND NOT has_parts, counted) AS counted,
    IF(level = 3, around_publishable, publishable) AS publishable,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 3) THEN listed
      WHEN level < 3 OR straddles THEN 0
      ELSE devices
    END AS listed,
    CASE
      WHEN around_devices IS NULL OR (straddles AND level < 3 AND NOT around_publishable) THEN hidden
      WHEN level < 3 OR straddles OR around_publishable THEN 0
      ELSE LEAST(devices, left_hidden)
    END AS hidden
  )
  FROM ruled_3
)
SELECT country_code, batch_date, time_bucket, geo_type, geo_id, devices, stays_dwell_minutes, publishable
FROM (
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, devices, stays_dwell_minutes, devices >= CASE own.country_code WHEN @country_0 THEN @k_0 END AS publishable
  FROM own
  WHERE geo_type NOT IN ('grid_1000m', 'admin_level_4', 'admin_level_2')
  UNION ALL
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, devices, stays_dwell_minutes, publishable
  FROM decided_3
  WHERE level > 0
)
) AS recomputed
ON target.batch_date BETWEEN @first_date AND @last_date AND target.country_code = recomputed.country_code
  AND target.batch_date = recomputed.batch_date AND target.geo_type = recomputed.geo_type AND target.geo_id = recomputed.geo_id
WHEN MATCHED AND (target.stays_dwell_minutes IS NULL OR target.stays_dwell_minutes <> recomputed.stays_dwell_minutes) THEN
  UPDATE SET stays_dwell_minutes = recomputed.stays_dwell_minutes;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  newest.country_code, newest.table_name, newest.batch_date, newest.tick, newest.version + 1,
  newest.row_count, newest.suppressed_count, newest.checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT *
  FROM `mobility.batches` AS daily
  WHERE daily.table_name = 'activities_daily' AND daily.batch_date BETWEEN @first_date AND @last_date
  AND daily.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = daily.country_code AND staged.batch_date = daily.batch_date)
  QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
) AS newest;

COMMIT TRANSACTION
