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

INSERT INTO `mobility.odm_daily` (country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id, trips, devices, average_speed_kmh, general_distance_m, publishable)
SELECT staged.country_code, staged.batch_date, staged.origin_geo_type, staged.origin_geo_id, staged.destination_geo_type, staged.destination_geo_id, staged.trips, staged.devices, staged.average_speed_kmh, ST_DISTANCE(ST_GEOGPOINT(origin.lon, origin.lat), ST_GEOGPOINT(destination.lon, destination.lat)) AS general_distance_m, staged.devices >= CASE staged.country_code WHEN @country_0 THEN @k_0 END AS publishable
FROM `staging.import_odm_daily` AS staged
LEFT JOIN `mobility.geographies` AS origin
  ON origin.country_code = staged.country_code AND origin.geo_type = staged.origin_geo_type AND origin.geo_id = staged.origin_geo_id
LEFT JOIN `mobility.geographies` AS destination
  ON destination.country_code = staged.country_code AND destination.geo_type = staged.destination_geo_type AND destination.geo_id = staged.destination_geo_id;

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
