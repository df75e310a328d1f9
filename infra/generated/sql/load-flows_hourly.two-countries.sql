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

DELETE FROM `staging.import_flows_hourly` staged
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

MERGE `staging.import_flows_hourly` AS staged
USING (
  SELECT country_code, link_id, time_bucket, direction, people, devices, batch_date
  FROM `intake.flows_hourly` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY country_code, batch_date, link_id, time_bucket, direction) = 1
) AS old
ON staged.country_code = old.country_code AND staged.batch_date = old.batch_date AND staged.link_id = old.link_id AND staged.time_bucket = old.time_bucket AND staged.direction = old.direction
WHEN MATCHED AND CASE old.country_code WHEN @country_0 THEN NOT @protected_0 WHEN @country_1 THEN NOT @protected_1 END AND old.devices >= CASE old.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AND ABS(staged.devices - old.devices) < CASE old.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END THEN
  UPDATE SET people = old.people, devices = old.devices;

DELETE FROM `intake.flows_hourly` target
WHERE target.loaded_on > "1970-01-01" AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0, @country_1)
  AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date);

INSERT INTO `intake.flows_hourly` (country_code, link_id, time_bucket, direction, people, devices, batch_date, loaded_on)
SELECT country_code, link_id, time_bucket, direction, people, devices, batch_date, CURRENT_DATE()
FROM `staging.import_flows_hourly`;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, batch_date, COUNT(*) AS row_count
  FROM `staging.import_flows_hourly`
  GROUP BY country_code, batch_date
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `intake.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code AND earlier.batch_date = loaded.batch_date;

INSERT INTO `staging.import_flows_hourly_flows_hourly_batches` (country_code, batch_date)
SELECT staged.country_code, staged.batch_date
FROM (SELECT DISTINCT country_code, batch_date FROM `staging.import_flows_hourly`) AS staged;

INSERT INTO `staging.import_flows_hourly_flows_hourly` (country_code, link_id, time_bucket, direction, batch_date, people, road_class)
WITH told AS (
WITH rules AS (
  SELECT @country_0 AS country_code, @k_0 AS k, @step_0 AS step, @device_step_0 AS device_step, @people_of_device_0 AS people_of_device, @finest_0 AS finest_level, @protected_0 AS is_protected UNION ALL
  SELECT @country_1 AS country_code, @k_1 AS k, @step_1 AS step, @device_step_1 AS device_step, @people_of_device_1 AS people_of_device, @finest_1 AS finest_level, @protected_1 AS is_protected
)
SELECT raw.country_code, raw.link_id, raw.time_bucket, raw.direction, raw.batch_date, GREATEST(rules.step, DIV(2 * raw.people + rules.step, 2 * rules.step) * rules.step) AS people
FROM `staging.import_flows_hourly` AS raw
JOIN rules ON rules.country_code = raw.country_code
WHERE raw.devices >= rules.k
)
SELECT told.country_code, told.link_id, told.time_bucket, told.direction, told.batch_date, told.people, '' AS road_class
FROM told;

MERGE `staging.import_flows_hourly_flows_hourly` AS fresh
USING (
  SELECT standing.country_code, standing.link_id, standing.time_bucket, standing.direction, standing.batch_date, standing.people, standing.road_class
  FROM `mobility.flows_hourly` AS standing
  JOIN (
    SELECT DISTINCT country_code, batch_date
    FROM (
      SELECT
        country_code, batch_date, DATE(loaded_at) AS loaded_on,
        LAG(DATE(loaded_at)) OVER (PARTITION BY country_code, batch_date ORDER BY loaded_at) AS earlier
      FROM `intake.batches`
      WHERE table_name = 'flows_hourly' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
    ) AS loads
    WHERE DATE_DIFF(loaded_on, earlier, DAY) >= 14
  ) AS again
    ON again.country_code = standing.country_code AND again.batch_date = standing.batch_date
  WHERE standing.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly_flows_hourly_batches` AS batch WHERE batch.country_code = standing.country_code AND batch.batch_date = standing.batch_date)
  QUALIFY COUNT(*) OVER (PARTITION BY standing.country_code, standing.link_id, standing.time_bucket, standing.direction, standing.batch_date, standing.road_class) = 1
) AS standing
ON fresh.country_code = standing.country_code AND fresh.link_id = standing.link_id AND fresh.time_bucket = standing.time_bucket AND fresh.direction = standing.direction AND fresh.batch_date = standing.batch_date AND fresh.road_class = standing.road_class
WHEN MATCHED AND CASE standing.country_code WHEN @country_0 THEN NOT @protected_0 WHEN @country_1 THEN NOT @protected_1 END THEN
  UPDATE SET people = IF(ABS(fresh.people - standing.people) <= CASE standing.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AND MOD(standing.people, CASE standing.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END) = 0, standing.people, fresh.people);

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, bytes, loaded_at)
WITH earlier AS (
  SELECT country_code, batch_date, MAX(version) AS version, MAX(IF(is_deleted, version, NULL)) AS deleted_version
  FROM `mobility.batches`
  WHERE table_name = 'flows_hourly' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
fresh AS (
  SELECT country_code, link_id, time_bucket, direction, batch_date, people, road_class
  FROM `staging.import_flows_hourly_flows_hourly` AS decided
  WHERE COALESCE(decided.batch_date IN (SELECT batch_date FROM earlier), FALSE)
),
standing AS (
  SELECT country_code, link_id, time_bucket, direction, batch_date, people, road_class
  FROM `mobility.flows_hourly` AS published
  WHERE published.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly_flows_hourly_batches` AS batch WHERE batch.country_code = published.country_code AND batch.batch_date = published.batch_date)
),
changed AS (
  (SELECT * FROM fresh EXCEPT DISTINCT SELECT * FROM standing)
  UNION ALL
  (SELECT * FROM standing EXCEPT DISTINCT SELECT * FROM fresh)
)
SELECT
  batch.country_code, 'flows_hourly', batch.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  COALESCE(counted.row_count, 0), COALESCE(counted.bytes, 0), CURRENT_TIMESTAMP()
FROM `staging.import_flows_hourly_flows_hourly_batches` AS batch
LEFT JOIN (
  SELECT country_code, batch_date, COUNT(*) AS row_count, SUM(50 + LENGTH(country_code)) AS bytes
  FROM `staging.import_flows_hourly_flows_hourly` AS decided
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
  WHERE table_name = 'flows_hourly' AND country_code IN (@country_0, @country_1) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
told AS (
  SELECT country_code, batch_date, 'osm_links' AS type_0, COUNT(*) AS number, COUNT(DISTINCT link_id) AS places, SUM(people) AS people
  FROM `staging.import_flows_hourly_flows_hourly` AS decided
  GROUP BY country_code, batch_date, type_0
),
delivered AS (
  SELECT country_code, batch_date, 'osm_links' AS type_0, SUM(people) AS people
  FROM `staging.import_flows_hourly` AS raw
  GROUP BY country_code, batch_date, type_0
),
places AS (
  SELECT country_code, 'osm_links' AS type, COUNT(*) AS number FROM `mobility.road_links` GROUP BY country_code
)
SELECT
  told.country_code, 'flows_hourly', told.batch_date, newest.version, told.type_0, CAST(NULL AS STRING), told.number,
  IF(places_0.number - told.places >= 50 AND told.people >= 100 * CASE told.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END AND CASE told.country_code WHEN @country_0 THEN @step_0 WHEN @country_1 THEN @step_1 END >= CASE told.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END, GREATEST(0, CAST(ROUND(100 * (1 - told.people / NULLIF(delivered.people, 0))) AS INT64)), NULL)
FROM told
JOIN newest ON newest.country_code = told.country_code AND newest.batch_date = told.batch_date
LEFT JOIN delivered ON delivered.country_code = told.country_code AND delivered.batch_date = told.batch_date AND delivered.type_0 = told.type_0
LEFT JOIN places AS places_0 ON places_0.country_code = told.country_code AND places_0.type = told.type_0
WHERE NOT EXISTS (
  SELECT 1 FROM `mobility.batch_geo_types` AS noted
  WHERE noted.table_name = 'flows_hourly' AND noted.country_code = told.country_code AND noted.batch_date = told.batch_date AND noted.version = newest.version
);

DELETE FROM `mobility.flows_hourly` target
WHERE target.batch_date BETWEEN @first_date AND @last_date AND EXISTS (SELECT 1 FROM `staging.import_flows_hourly_flows_hourly_batches` AS batch WHERE batch.country_code = target.country_code AND batch.batch_date = target.batch_date);

INSERT INTO `mobility.flows_hourly` (country_code, link_id, time_bucket, direction, batch_date, people, road_class)
SELECT country_code, link_id, time_bucket, direction, batch_date, people, road_class
FROM `staging.import_flows_hourly_flows_hourly` AS decided;

COMMIT TRANSACTION
