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
-- @country_1 STRING
-- @k_1 INT64
-- @step_1 INT64
-- @device_step_1 INT64
-- @people_of_device_1 FLOAT64
-- @finest_1 INT64
-- @protected_1 BOOL
BEGIN TRANSACTION;

DELETE FROM `staging.import_activities_daily` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum, DATE_DIFF(CURRENT_DATE(), DATE(loaded_at), DAY) < 14 AS is_there
    FROM `intake.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.country_code = staged.country_code AND newest.batch_date = staged.batch_date
    AND newest.checksum = @checksum AND newest.is_there
);

MERGE `staging.import_activities_daily` AS staged
USING (
  SELECT country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date
  FROM `intake.activities_daily` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, geo_type, geo_id, time_bucket) = 1
) AS old
ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.geo_type = old.geo_type AND staged.geo_id = old.geo_id AND staged.time_bucket = old.time_bucket
WHEN MATCHED AND CASE old.country_code WHEN @country_0 THEN NOT @protected_0 WHEN @country_1 THEN NOT @protected_1 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END THEN
  UPDATE SET people = old.people, stays_count = old.stays_count, stays_dwell_minutes = old.stays_dwell_minutes, stays_devices = old.stays_devices, devices = old.devices;

DELETE FROM `intake.activities_daily` target
WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date);

INSERT INTO `intake.activities_daily` (country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date, loaded_on)
SELECT country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date, CURRENT_DATE()
FROM `staging.import_activities_daily`;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, batch_date, COUNT(*) AS row_count
  FROM `staging.import_activities_daily`
  GROUP BY country_code, batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `intake.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date;

INSERT INTO `staging.import_activities_daily_activities_daily_batches` (country_code, batch_date)
SELECT staged.country_code, staged.batch_date
FROM (SELECT DISTINCT country_code, batch_date FROM `staging.import_activities_daily`) AS staged
JOIN (
  SELECT DISTINCT country_code, batch_date
  FROM `intake.activities_hourly`
  WHERE loaded_on > "1970-01-01" AND batch_date BETWEEN @first_date AND @last_date AND country_code IN (@country_0, @country_1)
) AS present_0
  ON present_0.country_code = staged.country_code AND present_0.batch_date = staged.batch_date;

INSERT INTO `staging.import_activities_daily_activities_daily` (country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices, told)
WITH rules AS (
  SELECT @country_0 AS country_code, @k_0 AS k, @step_0 AS step, @device_step_0 AS device_step, @people_of_device_0 AS people_of_device, @finest_0 AS finest_level, @protected_0 AS is_protected UNION ALL
  SELECT @country_1 AS country_code, @k_1 AS k, @step_1 AS step, @device_step_1 AS device_step, @people_of_device_1 AS people_of_device, @finest_1 AS finest_level, @protected_1 AS is_protected
),
hour_loaded AS (
  SELECT
    r.country_code, r.batch_date, r.time_bucket, r.geo_type, r.geo_id,
    g.level, g.at_1, g.at_2, g.at_3, g.parts, c.k, c.step, c.device_step, c.people_of_device, c.is_protected, c.is_protected OR g.level = c.finest_level AS is_finest,
    r.devices AS n, COALESCE(r.people, 0) AS raw_people, COALESCE(r.stays_count, 0) AS raw_stays_count, COALESCE(r.stays_dwell_minutes, 0) AS raw_stays_dwell_minutes, COALESCE(r.stays_devices, 0) AS raw_stays_devices, 0 AS base
  FROM (
    SELECT *
    FROM `intake.activities_hourly` AS raw
    WHERE raw.loaded_on > "1970-01-01" AND raw.batch_date BETWEEN @first_date AND @last_date AND raw.country_code IN (@country_0, @country_1) AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = raw.country_code AND batch.batch_date = raw.batch_date)
  ) AS r
  JOIN rules AS c ON c.country_code = r.country_code
  JOIN `intake.nesting` AS g ON g.country_code = r.country_code AND g.geo_type = r.geo_type AND g.geo_id = r.geo_id
  LEFT JOIN (
    SELECT DISTINCT given.country_code, given.batch_date
    FROM (
      SELECT DISTINCT country_code, batch_date, geo_type
      FROM (
    SELECT *
    FROM `intake.activities_hourly` AS raw
    WHERE raw.loaded_on > "1970-01-01" AND raw.batch_date BETWEEN @first_date AND @last_date AND raw.country_code IN (@country_0, @country_1) AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = raw.country_code AND batch.batch_date = raw.batch_date)
  ) AS delivered
      WHERE delivered.devices > 0
    ) AS given
    JOIN rules AS finest ON finest.country_code = given.country_code
    WHERE given.geo_type = CASE finest.finest_level WHEN 0 THEN 'grid_250m' WHEN 1 THEN 'grid_1000m' WHEN 2 THEN 'admin_level_4' WHEN 3 THEN 'admin_level_2' END
  ) AS f ON f.country_code = r.country_code AND f.batch_date = r.batch_date
  WHERE r.devices > 0 AND g.level >= c.finest_level
    AND (c.is_protected OR f.batch_date IS NOT NULL AND NOT (g.level = 1 AND g.at_2 IS NULL AND c.finest_level = 0))
),
hour_finest_capped AS (
  SELECT *, n AS capped
  FROM hour_loaded
),
hour_finest_told AS (
  SELECT *, CASE WHEN NOT is_finest THEN 0 WHEN is_protected THEN IF(n < k, 0, n) ELSE CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END END AS told
  FROM hour_finest_capped
),
hour_finest_exact AS (
  SELECT *, IF(raw_stays_devices - 0 < k OR told - 0 < 2 * k - 1, 0, IF(told - raw_stays_devices < k, told, raw_stays_devices)) AS exact_stays_devices
  FROM hour_finest_told
),
hour_finest AS (
  SELECT
    country_code, batch_date, time_bucket, geo_type, geo_id, at_1, at_2, at_3, IF(is_finest, 0, level) AS level, CASE WHEN is_protected THEN 4 WHEN is_finest THEN level + 1 ELSE level END AS enters, told, n, parts, raw_people,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_people ELSE IF(told = base, 0, GREATEST(0, step, DIV(2 * DIV(raw_people * told, n) + step, 2 * step) * step)) END AS out_people,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_count ELSE IF(exact_stays_devices = 0, 0, DIV(2 * IF(raw_stays_count - exact_stays_devices < k, exact_stays_devices, raw_stays_count) + device_step, 2 * device_step) * device_step) END AS out_stays_count,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_dwell_minutes ELSE IF(exact_stays_devices = 0, 0, DIV(2 * exact_stays_devices + device_step, 2 * device_step) * device_step * 5 * DIV(2 * raw_stays_dwell_minutes + 5 * raw_stays_devices, 10 * raw_stays_devices)) END AS out_stays_dwell_minutes,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_devices ELSE DIV(2 * exact_stays_devices + device_step, 2 * device_step) * device_step END AS out_stays_devices
  FROM hour_finest_exact
),
hour_grouped_1 AS (
  SELECT country_code, batch_date, time_bucket, at_1, at_2, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 1, n, NULL)) AS n, MAX(IF(level = 1, parts, NULL)) AS parts, MAX(IF(level = 1, raw_people, NULL)) AS raw_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_1, at_2, at_3, level, n, parts, raw_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, out_people + 1 * DIV(step - 1, 2)) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM hour_finest
    ) AS finest
    WHERE enters = 1
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_1, at_2, at_3
),
hour_hidden_1 AS (
  SELECT *, largest AS base, GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM hour_grouped_1
),
hour_kept_1 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hour_hidden_1
),
hour_cut_1 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM hour_kept_1
),
hour_capped_1 AS (
  SELECT *, cut AS capped
  FROM hour_cut_1
),
hour_told_1 AS (
  SELECT *, IF(level = 1, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM hour_capped_1
),
hour_numbered_1 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, out_people, GREATEST(out_people, step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM hour_told_1
),
hour_decided_1 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, base, number_people) REPLACE (
    IF(level = 1, told, largest) AS largest,
    IF(level = 1, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 1, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 1, number_people, out_people) AS out_people,
    IF(level = 1 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM hour_numbered_1
),
hour_grouped_2 AS (
  SELECT country_code, batch_date, time_bucket, at_2, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 2, n, NULL)) AS n, MAX(IF(level = 2, parts, NULL)) AS parts, MAX(IF(level = 2, raw_people, NULL)) AS raw_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_2, at_3, level, n, parts, raw_people, told, largest, missing, sealed, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices, most_people FROM hour_decided_1
    UNION ALL
    SELECT country_code, batch_date, time_bucket, at_2, at_3, level, n, parts, raw_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, out_people + 1 * DIV(step - 1, 2)) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM hour_finest
    ) AS finest
    WHERE enters = 2
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_2, at_3
),
hour_hidden_2 AS (
  SELECT *, largest AS base, GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM hour_grouped_2
),
hour_kept_2 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hour_hidden_2
),
hour_cut_2 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM hour_kept_2
),
hour_capped_2 AS (
  SELECT *, cut AS capped
  FROM hour_cut_2
),
hour_told_2 AS (
  SELECT *, IF(level = 2, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM hour_capped_2
),
hour_numbered_2 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, out_people, GREATEST(out_people, step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM hour_told_2
),
hour_decided_2 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, base, number_people) REPLACE (
    IF(level = 2, told, largest) AS largest,
    IF(level = 2, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 2, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 2, number_people, out_people) AS out_people,
    IF(level = 2 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM hour_numbered_2
),
hour_grouped_3 AS (
  SELECT country_code, batch_date, time_bucket, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 3, n, NULL)) AS n, MAX(IF(level = 3, parts, NULL)) AS parts, MAX(IF(level = 3, raw_people, NULL)) AS raw_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_3, level, n, parts, raw_people, told, largest, missing, sealed, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices, most_people FROM hour_decided_2
    UNION ALL
    SELECT country_code, batch_date, time_bucket, at_3, level, n, parts, raw_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, out_people + 1 * DIV(step - 1, 2)) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM hour_finest
    ) AS finest
    WHERE enters = 3
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_3
),
hour_hidden_3 AS (
  SELECT *, largest AS base, GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM hour_grouped_3
),
hour_kept_3 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hour_hidden_3
),
hour_cut_3 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM hour_kept_3
),
hour_capped_3 AS (
  SELECT *, cut AS capped
  FROM hour_cut_3
),
hour_told_3 AS (
  SELECT *, IF(level = 3, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM hour_capped_3
),
hour_numbered_3 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, out_people, GREATEST(out_people, step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM hour_told_3
),
hour_decided_3 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, base, number_people) REPLACE (
    IF(level = 3, told, largest) AS largest,
    IF(level = 3, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 3, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 3, number_people, out_people) AS out_people,
    IF(level = 3 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM hour_numbered_3
),
hour_told AS (
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, told, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices
  FROM hour_finest
  WHERE told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'grid_1000m' AS geo_type, at_1 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM hour_decided_1
  WHERE level = 1 AND told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'admin_level_4' AS geo_type, at_2 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM hour_decided_2
  WHERE level = 2 AND told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'admin_level_2' AS geo_type, at_3 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM hour_decided_3
  WHERE level = 3 AND told > 0
),
hour_sums AS (
  SELECT
    country_code, batch_date, geo_type, geo_id, COUNT(*) AS hours, SUM(told) AS told, MAX(told) AS largest, MAX(out_people) AS hours_people, SUM(out_people) AS hours_sum_people, MAX(out_stays_count) AS hours_stays_count, SUM(out_stays_count) AS hours_sum_stays_count, COUNTIF(out_stays_count > 0) AS hours_with_stays_count, SUM(out_stays_dwell_minutes) AS hours_stays_dwell_minutes, MAX(out_stays_devices) AS hours_stays_devices, SUM(out_stays_devices) AS hours_sum_stays_devices, COUNTIF(out_stays_devices > 0) AS hours_with_stays_devices
  FROM hour_told
  GROUP BY country_code, batch_date, geo_type, geo_id
),
loaded AS (
  SELECT
    r.country_code, r.batch_date, r.time_bucket, r.geo_type, r.geo_id,
    g.level, g.at_1, g.at_2, g.at_3, g.parts, c.k, c.step, c.device_step, c.people_of_device, c.is_protected, c.is_protected OR g.level = c.finest_level AS is_finest,
    r.devices AS n, COALESCE(r.people, 0) AS raw_people, COALESCE(r.stays_count, 0) AS raw_stays_count, COALESCE(r.stays_dwell_minutes, 0) AS raw_stays_dwell_minutes, COALESCE(r.stays_devices, 0) AS raw_stays_devices, COALESCE(h.told, 0) AS hours_told, COALESCE(h.largest, 0) AS base, COALESCE(h.hours_people, 0) AS hours_people, COALESCE(h.hours_sum_people, 0) AS hours_sum_people, COALESCE(h.hours_stays_count, 0) AS hours_stays_count, COALESCE(h.hours_sum_stays_count, 0) AS hours_sum_stays_count, COALESCE(h.hours_with_stays_count, 0) AS hours_with_stays_count, COALESCE(h.hours_stays_dwell_minutes, 0) AS hours_stays_dwell_minutes, COALESCE(h.hours_stays_devices, 0) AS hours_stays_devices, COALESCE(h.hours_sum_stays_devices, 0) AS hours_sum_stays_devices, COALESCE(h.hours_with_stays_devices, 0) AS hours_with_stays_devices, b.hours AS hours_all, b.hours - COALESCE(h.hours, 0) AS hours_absent
  FROM `staging.import_activities_daily` AS r
  JOIN rules AS c ON c.country_code = r.country_code
  JOIN `intake.nesting` AS g ON g.country_code = r.country_code AND g.geo_type = r.geo_type AND g.geo_id = r.geo_id
  LEFT JOIN (
    SELECT DISTINCT given.country_code, given.batch_date
    FROM (
      SELECT DISTINCT country_code, batch_date, geo_type
      FROM `staging.import_activities_daily` AS delivered
      WHERE delivered.devices > 0
    ) AS given
    JOIN rules AS finest ON finest.country_code = given.country_code
    WHERE given.geo_type = CASE finest.finest_level WHEN 0 THEN 'grid_250m' WHEN 1 THEN 'grid_1000m' WHEN 2 THEN 'admin_level_4' WHEN 3 THEN 'admin_level_2' END
  ) AS f ON f.country_code = r.country_code AND f.batch_date = r.batch_date
  LEFT JOIN (
    SELECT DISTINCT given.country_code, given.batch_date
    FROM (
      SELECT DISTINCT country_code, batch_date, geo_type
      FROM (
    SELECT *
    FROM `intake.activities_hourly` AS raw
    WHERE raw.loaded_on > "1970-01-01" AND raw.batch_date BETWEEN @first_date AND @last_date AND raw.country_code IN (@country_0, @country_1) AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = raw.country_code AND batch.batch_date = raw.batch_date)
  ) AS delivered
      WHERE delivered.devices > 0
    ) AS given
    JOIN rules AS finest ON finest.country_code = given.country_code
    WHERE given.geo_type = CASE finest.finest_level WHEN 0 THEN 'grid_250m' WHEN 1 THEN 'grid_1000m' WHEN 2 THEN 'admin_level_4' WHEN 3 THEN 'admin_level_2' END
  ) AS fh ON fh.country_code = r.country_code AND fh.batch_date = r.batch_date
  LEFT JOIN (
    SELECT hour.country_code, hour.batch_date, hour.geo_type, COUNT(DISTINCT hour.time_bucket) AS hours
    FROM (
    SELECT *
    FROM `intake.activities_hourly` AS raw
    WHERE raw.loaded_on > "1970-01-01" AND raw.batch_date BETWEEN @first_date AND @last_date AND raw.country_code IN (@country_0, @country_1) AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = raw.country_code AND batch.batch_date = raw.batch_date)
  ) AS hour
    WHERE hour.devices > 0
    GROUP BY hour.country_code, hour.batch_date, hour.geo_type
  ) AS b ON b.country_code = r.country_code AND b.batch_date = r.batch_date AND b.geo_type = r.geo_type
  LEFT JOIN hour_sums AS h
    ON h.country_code = r.country_code AND h.batch_date = r.batch_date AND h.geo_type = r.geo_type AND h.geo_id = r.geo_id
  WHERE r.devices > 0 AND g.level >= c.finest_level
    AND (c.is_protected OR f.batch_date IS NOT NULL AND NOT (g.level = 1 AND g.at_2 IS NULL AND c.finest_level = 0) AND fh.batch_date IS NOT NULL AND b.hours IS NOT NULL)
),
finest_capped AS (
  SELECT *, LEAST(n, hours_told + IF(LEAST(n - hours_told, (k - 1) * (hours_absent - 1)) >= k, (k - 1) * (hours_absent - 1), 0)) AS capped
  FROM loaded
),
finest_told AS (
  SELECT *, CASE WHEN NOT is_finest THEN 0 WHEN is_protected THEN IF(n < k, 0, n) ELSE CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END END AS told
  FROM finest_capped
),
finest_exact AS (
  SELECT *, IF(LEAST(raw_stays_devices, hours_sum_stays_devices + IF(LEAST(raw_stays_devices - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)) - hours_stays_devices < k OR LEAST(told, hours_sum_stays_devices + IF(LEAST(told - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)) - hours_stays_devices < 2 * k - 1, hours_stays_devices, IF(LEAST(told, hours_sum_stays_devices + IF(LEAST(told - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)) - LEAST(raw_stays_devices, hours_sum_stays_devices + IF(LEAST(raw_stays_devices - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)) < k, LEAST(told, hours_sum_stays_devices + IF(LEAST(told - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)), LEAST(raw_stays_devices, hours_sum_stays_devices + IF(LEAST(raw_stays_devices - hours_sum_stays_devices, (k - 1) * ((hours_all - hours_with_stays_devices) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_devices) - 1), 0)))) AS exact_stays_devices
  FROM finest_told
),
finest AS (
  SELECT
    country_code, batch_date, time_bucket, geo_type, geo_id, at_1, at_2, at_3, IF(is_finest, 0, level) AS level, CASE WHEN is_protected THEN 4 WHEN is_finest THEN level + 1 ELSE level END AS enters, told, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_people ELSE IF(told = base, hours_people, GREATEST(hours_people, step, DIV(2 * LEAST(DIV(raw_people * told, n), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)) + step, 2 * step) * step)) END AS out_people,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_count ELSE IF(exact_stays_devices = 0, 0, DIV(2 * IF(LEAST(raw_stays_count, hours_sum_stays_count + IF(LEAST(raw_stays_count - hours_sum_stays_count, (k - 1) * ((hours_all - hours_with_stays_count) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_count) - 1), 0)) - GREATEST(exact_stays_devices, hours_stays_count) < k, GREATEST(exact_stays_devices, hours_stays_count), LEAST(raw_stays_count, hours_sum_stays_count + IF(LEAST(raw_stays_count - hours_sum_stays_count, (k - 1) * ((hours_all - hours_with_stays_count) - 1)) >= k, (k - 1) * ((hours_all - hours_with_stays_count) - 1), 0))) + device_step, 2 * device_step) * device_step) END AS out_stays_count,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_dwell_minutes ELSE hours_stays_dwell_minutes END AS out_stays_dwell_minutes,
    CASE WHEN told = 0 THEN 0 WHEN is_protected THEN raw_stays_devices ELSE DIV(2 * exact_stays_devices + device_step, 2 * device_step) * device_step END AS out_stays_devices
  FROM finest_exact
),
grouped_1 AS (
  SELECT country_code, batch_date, time_bucket, at_1, at_2, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 1, n, NULL)) AS n, MAX(IF(level = 1, parts, NULL)) AS parts, MAX(IF(level = 1, raw_people, NULL)) AS raw_people, MAX(IF(level = 1, base, NULL)) AS base, MAX(IF(level = 1, hours_told, NULL)) AS hours_told, MAX(IF(level = 1, hours_absent, NULL)) AS hours_absent, MAX(IF(level = 1, hours_all, NULL)) AS hours_all, MAX(IF(level = 1, hours_people, NULL)) AS hours_people, MAX(IF(level = 1, hours_sum_people, NULL)) AS hours_sum_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_1, at_2, at_3, level, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, LEAST(out_people + 1 * DIV(step - 1, 2), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64))) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM finest
    ) AS finest
    WHERE enters = 1
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_1, at_2, at_3
),
hidden_1 AS (
  SELECT * REPLACE (GREATEST(base, largest) AS base), GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM grouped_1
),
kept_1 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hidden_1
),
cut_1 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM kept_1
),
capped_1 AS (
  SELECT *, LEAST(cut, hours_told + IF(LEAST(cut - hours_told, (k - 1) * (hours_absent - 1)) >= k, (k - 1) * (hours_absent - 1), 0)) AS capped
  FROM cut_1
),
told_1 AS (
  SELECT *, IF(level = 1, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM capped_1
),
numbered_1 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, GREATEST(out_people, hours_people), GREATEST(GREATEST(out_people, hours_people), step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM told_1
),
decided_1 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, number_people) REPLACE (
    IF(level = 1, told, largest) AS largest,
    IF(level = 1, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 1, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 1, number_people, out_people) AS out_people,
    IF(level = 1 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM numbered_1
),
grouped_2 AS (
  SELECT country_code, batch_date, time_bucket, at_2, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 2, n, NULL)) AS n, MAX(IF(level = 2, parts, NULL)) AS parts, MAX(IF(level = 2, raw_people, NULL)) AS raw_people, MAX(IF(level = 2, base, NULL)) AS base, MAX(IF(level = 2, hours_told, NULL)) AS hours_told, MAX(IF(level = 2, hours_absent, NULL)) AS hours_absent, MAX(IF(level = 2, hours_all, NULL)) AS hours_all, MAX(IF(level = 2, hours_people, NULL)) AS hours_people, MAX(IF(level = 2, hours_sum_people, NULL)) AS hours_sum_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_2, at_3, level, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people, told, largest, missing, sealed, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices, most_people FROM decided_1
    UNION ALL
    SELECT country_code, batch_date, time_bucket, at_2, at_3, level, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, LEAST(out_people + 1 * DIV(step - 1, 2), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64))) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM finest
    ) AS finest
    WHERE enters = 2
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_2, at_3
),
hidden_2 AS (
  SELECT * REPLACE (GREATEST(base, largest) AS base), GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM grouped_2
),
kept_2 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hidden_2
),
cut_2 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM kept_2
),
capped_2 AS (
  SELECT *, LEAST(cut, hours_told + IF(LEAST(cut - hours_told, (k - 1) * (hours_absent - 1)) >= k, (k - 1) * (hours_absent - 1), 0)) AS capped
  FROM cut_2
),
told_2 AS (
  SELECT *, IF(level = 2, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM capped_2
),
numbered_2 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, GREATEST(out_people, hours_people), GREATEST(GREATEST(out_people, hours_people), step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM told_2
),
decided_2 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, number_people) REPLACE (
    IF(level = 2, told, largest) AS largest,
    IF(level = 2, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 2, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 2, number_people, out_people) AS out_people,
    IF(level = 2 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM numbered_2
),
grouped_3 AS (
  SELECT country_code, batch_date, time_bucket, at_3, MAX(level) AS level, CASE country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS k, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device, MAX(IF(level = 3, n, NULL)) AS n, MAX(IF(level = 3, parts, NULL)) AS parts, MAX(IF(level = 3, raw_people, NULL)) AS raw_people, MAX(IF(level = 3, base, NULL)) AS base, MAX(IF(level = 3, hours_told, NULL)) AS hours_told, MAX(IF(level = 3, hours_absent, NULL)) AS hours_absent, MAX(IF(level = 3, hours_all, NULL)) AS hours_all, MAX(IF(level = 3, hours_people, NULL)) AS hours_people, MAX(IF(level = 3, hours_sum_people, NULL)) AS hours_sum_people,
    SUM(told) AS told_parts, MAX(largest) AS largest, SUM(missing) AS missing, SUM(sealed) AS sealed,
    MAX(out_people) AS out_people, SUM(out_stays_count) AS out_stays_count, SUM(out_stays_dwell_minutes) AS out_stays_dwell_minutes, SUM(out_stays_devices) AS out_stays_devices, SUM(most_people) AS most_people
  FROM (
    SELECT country_code, batch_date, time_bucket, at_3, level, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people, told, largest, missing, sealed, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices, most_people FROM decided_2
    UNION ALL
    SELECT country_code, batch_date, time_bucket, at_3, level, n, parts, raw_people, base, hours_told, hours_absent, hours_all, hours_people, hours_sum_people,
      told, told AS largest, IF(level = 0, GREATEST(n - told, 0), 0) AS missing, IF(told > 0, 1, 0) AS sealed,
      out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices, IF(told = 0, 0, LEAST(out_people + 1 * DIV(step - 1, 2), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64))) AS most_people
    FROM (
      SELECT *, CASE country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AS step, CASE country_code WHEN @country_0 THEN @people_of_device_0 WHEN @country_1 THEN @people_of_device_1 END AS people_of_device
      FROM finest
    ) AS finest
    WHERE enters = 3
  ) AS given
  GROUP BY country_code, batch_date, time_bucket, at_3
),
hidden_3 AS (
  SELECT * REPLACE (GREATEST(base, largest) AS base), GREATEST(missing, n - told_parts) AS hidden, (k - 1) * (parts - sealed - 1) AS room
  FROM grouped_3
),
kept_3 AS (
  SELECT *, IF(LEAST(hidden, room) >= k, LEAST(hidden, room), 0) AS kept
  FROM hidden_3
),
cut_3 AS (
  SELECT *, IF(kept = 0, n - hidden, LEAST(n, told_parts + kept)) AS cut
  FROM kept_3
),
capped_3 AS (
  SELECT *, LEAST(cut, hours_told + IF(LEAST(cut - hours_told, (k - 1) * (hours_absent - 1)) >= k, (k - 1) * (hours_absent - 1), 0)) AS capped
  FROM cut_3
),
told_3 AS (
  SELECT *, IF(level = 3, CASE WHEN base > 0 AND capped - base < k THEN base WHEN capped < k THEN 0 ELSE capped END, told_parts) AS told
  FROM capped_3
),
numbered_3 AS (
  SELECT *, IF(told = 0, 0, IF(told = base, GREATEST(out_people, hours_people), GREATEST(GREATEST(out_people, hours_people), step, DIV(2 * LEAST(DIV(raw_people * told, n), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)) + step, 2 * step) * step))) AS number_people
  FROM told_3
),
decided_3 AS (
  SELECT * EXCEPT (k, step, people_of_device, told_parts, hidden, room, kept, cut, capped, number_people) REPLACE (
    IF(level = 3, told, largest) AS largest,
    IF(level = 3, GREATEST(n - told, 0), missing) AS missing,
    IF(level = 3, IF(told > 0 AND (parts <= sealed OR kept > 0), 1, 0), sealed) AS sealed,
    IF(level = 3, number_people, out_people) AS out_people,
    IF(level = 3 AND told > 0, LEAST(number_people + 1 * DIV(step - 1, 2), most_people + CAST(FLOOR(GREATEST(told - told_parts, 0) * people_of_device) AS INT64), hours_sum_people + (hours_all - hours_absent) * DIV(step - 1, 2) + CAST(FLOOR(GREATEST(told - hours_told, 0) * people_of_device) AS INT64)), most_people) AS most_people
  )
  FROM numbered_3
),
told AS (
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, told, out_people, out_stays_count, out_stays_dwell_minutes, out_stays_devices
  FROM finest
  WHERE told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'grid_1000m' AS geo_type, at_1 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM decided_1
  WHERE level = 1 AND told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'admin_level_4' AS geo_type, at_2 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM decided_2
  WHERE level = 2 AND told > 0
  UNION ALL
  SELECT country_code, batch_date, time_bucket, 'admin_level_2' AS geo_type, at_3 AS geo_id, told,
    out_people AS out_people, out_stays_count AS out_stays_count, out_stays_dwell_minutes AS out_stays_dwell_minutes, out_stays_devices AS out_stays_devices
  FROM decided_3
  WHERE level = 3 AND told > 0
)
SELECT country_code, batch_date, time_bucket, geo_type, geo_id, out_people AS people, out_stays_count AS stays_count, out_stays_dwell_minutes AS stays_dwell_minutes, out_stays_devices AS stays_devices, told.told
FROM told;

MERGE `staging.import_activities_daily_activities_daily` AS fresh
USING (
  SELECT standing.country_code, standing.batch_date, standing.time_bucket, standing.geo_type, standing.geo_id, standing.people, standing.stays_count, standing.stays_dwell_minutes, standing.stays_devices
  FROM `mobility.activities_daily` AS standing
  WHERE standing.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = standing.country_code AND batch.batch_date = standing.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY standing.country_code, standing.batch_date, standing.time_bucket, standing.geo_type, standing.geo_id) = 1
) AS standing
ON fresh.country_code = standing.country_code AND fresh.batch_date = standing.batch_date AND fresh.time_bucket = standing.time_bucket AND fresh.geo_type = standing.geo_type AND fresh.geo_id = standing.geo_id
WHEN MATCHED AND CASE standing.country_code WHEN @country_0 THEN NOT @protected_0 WHEN @country_1 THEN NOT @protected_1 END THEN
  UPDATE SET people = IF(ABS(fresh.people - standing.people) <= CASE standing.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AND MOD(standing.people, CASE standing.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END) = 0, standing.people, fresh.people), stays_count = IF((fresh.stays_count <> standing.stays_count OR fresh.stays_devices <> standing.stays_devices) AND ABS(fresh.stays_count - standing.stays_count) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_count, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0 AND ABS(fresh.stays_devices - standing.stays_devices) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_devices, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0, standing.stays_count, fresh.stays_count), stays_dwell_minutes = IF((fresh.stays_count <> standing.stays_count OR fresh.stays_devices <> standing.stays_devices) AND ABS(fresh.stays_count - standing.stays_count) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_count, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0 AND ABS(fresh.stays_devices - standing.stays_devices) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_devices, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0, standing.stays_dwell_minutes, fresh.stays_dwell_minutes), stays_devices = IF((fresh.stays_count <> standing.stays_count OR fresh.stays_devices <> standing.stays_devices) AND ABS(fresh.stays_count - standing.stays_count) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_count, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0 AND ABS(fresh.stays_devices - standing.stays_devices) <= CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END AND MOD(standing.stays_devices, CASE standing.country_code WHEN @country_0 THEN @device_step_0 WHEN @country_1 THEN @device_step_1 END) = 0, standing.stays_devices, fresh.stays_devices);

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, bytes, loaded_at)
WITH earlier AS (
  SELECT country_code, batch_date, MAX(version) AS version, MAX(IF(is_deleted, version, NULL)) AS deleted_version
  FROM `mobility.batches`
  WHERE table_name = 'activities_daily' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
fresh AS (
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices
  FROM `staging.import_activities_daily_activities_daily` AS decided
  WHERE COALESCE(decided.batch_date IN (SELECT batch_date FROM earlier), FALSE)
),
standing AS (
  SELECT country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices
  FROM `mobility.activities_daily` AS published
  WHERE published.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = published.country_code AND batch.batch_date = published.batch_date)
),
changed AS (
  (SELECT * FROM fresh EXCEPT DISTINCT SELECT * FROM standing)
  UNION ALL
  (SELECT * FROM standing EXCEPT DISTINCT SELECT * FROM fresh)
)
SELECT
  batch.country_code, 'activities_daily', batch.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  COALESCE(counted.row_count, 0), COALESCE(counted.bytes, 0), CURRENT_TIMESTAMP()
FROM `staging.import_activities_daily_activities_daily_batches` AS batch
LEFT JOIN (
  SELECT country_code, batch_date, COUNT(*) AS row_count, SUM(60 + LENGTH(country_code) + LENGTH(geo_type)) AS bytes
  FROM `staging.import_activities_daily_activities_daily` AS decided
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
  WHERE table_name = 'activities_daily' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
told AS (
  SELECT country_code, batch_date, geo_type AS type_0, COUNT(*) AS number, COUNT(DISTINCT geo_id) AS places, SUM(people) AS people
  FROM `staging.import_activities_daily_activities_daily` AS decided
  GROUP BY country_code, batch_date, type_0
),
delivered AS (
  SELECT country_code, batch_date, geo_type AS type_0, SUM(people) AS people
  FROM `staging.import_activities_daily` AS raw
  GROUP BY country_code, batch_date, type_0
),
places AS (
  SELECT country_code, geo_type AS type, COUNT(*) AS number FROM `mobility.geographies` GROUP BY country_code, geo_type
)
SELECT
  told.country_code, 'activities_daily', told.batch_date, newest.version, told.type_0, CAST(NULL AS STRING), told.number,
  IF(places_0.number - told.places >= 50 AND told.people >= 100 * CASE told.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AND CASE told.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END >= CASE told.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END, GREATEST(0, CAST(ROUND(100 * (1 - told.people / NULLIF(delivered.people, 0))) AS INT64)), NULL)
FROM told
JOIN newest ON newest.country_code = told.country_code AND newest.batch_date = told.batch_date
LEFT JOIN delivered ON delivered.country_code = told.country_code AND delivered.batch_date = told.batch_date AND delivered.type_0 = told.type_0
LEFT JOIN places AS places_0 ON places_0.country_code = told.country_code AND places_0.type = told.type_0
WHERE NOT EXISTS (
  SELECT 1 FROM `mobility.batch_geo_types` AS noted
  WHERE noted.table_name = 'activities_daily' AND noted.country_code = told.country_code AND noted.batch_date = told.batch_date AND noted.version = newest.version
);

DELETE FROM `mobility.activities_daily` target
WHERE target.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_activities_daily_activities_daily_batches` AS batch WHERE batch.country_code = target.country_code AND batch.batch_date = target.batch_date);

INSERT INTO `mobility.activities_daily` (country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices)
SELECT country_code, batch_date, time_bucket, geo_type, geo_id, people, stays_count, stays_dwell_minutes, stays_devices
FROM `staging.import_activities_daily_activities_daily` AS decided;

COMMIT TRANSACTION
