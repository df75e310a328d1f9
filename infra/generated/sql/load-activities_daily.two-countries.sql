-- @table_name STRING
-- @checksum STRING
-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @country_1 STRING
-- @k_0 INT64
-- @k_1 INT64
BEGIN TRANSACTION;

DELETE FROM `staging.import_activities_daily` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum
    FROM `mobility.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum AND newest.country_code = staged.country_code AND newest.batch_date = staged.batch_date
);

DELETE FROM `mobility.activities_daily` target
WHERE target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date);

INSERT INTO `mobility.activities_daily` (country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date, publishable)
SELECT staged.country_code, staged.geo_type, staged.geo_id, staged.time_bucket, staged.people, staged.stays_count, staged.stays_dwell_minutes, staged.stays_devices, staged.devices, staged.batch_date, staged.publishable
FROM (
WITH own AS (
  SELECT day.country_code, day.geo_type, day.geo_id, day.time_bucket, day.people, day.stays_count, IF(hourly.country_code IS NULL, day.stays_dwell_minutes, COALESCE(hours.stays_dwell_minutes, 0)) AS stays_dwell_minutes, day.stays_devices, day.devices, day.batch_date
  FROM `staging.import_activities_daily` AS day
  LEFT JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM `mobility.batches`
    WHERE table_name = 'activities_hourly' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  ) AS hourly ON hourly.country_code = day.country_code AND hourly.batch_date = day.batch_date
  LEFT JOIN (
    SELECT country_code, batch_date, geo_type, geo_id, SUM(stays_dwell_minutes) AS stays_dwell_minutes
    FROM `mobility.activities_hourly`
    WHERE country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date AND publishable
    GROUP BY country_code, batch_date, geo_type, geo_id
  ) AS hours
    ON hours.country_code = day.country_code AND hours.batch_date = day.batch_date
      AND hours.geo_type = day.geo_type AND hours.geo_id = day.geo_id
)
SELECT country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date, devices >= CASE own.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS publishable
  FROM own
) AS staged;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, loaded.suppressed_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT target.country_code, target.batch_date, COUNT(*) AS row_count, COUNTIF(NOT target.publishable) AS suppressed_count
  FROM `mobility.activities_daily` AS target
  WHERE target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_daily` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  GROUP BY target.country_code, target.batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date;

COMMIT TRANSACTION
