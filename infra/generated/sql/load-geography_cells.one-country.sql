-- @table_name STRING
-- @checksum STRING
-- @country_0 STRING
BEGIN TRANSACTION;

DELETE FROM `staging.import_geography_cells` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum, TRUE AS is_there
    FROM `intake.batches`
    WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date IS NULL AND tick IS NULL
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.country_code = staged.country_code
    AND newest.checksum = @checksum AND newest.is_there
);

DELETE FROM `mobility.geography_cells` target
WHERE target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_geography_cells` AS staged WHERE staged.country_code = target.country_code AND staged.geo_type = target.geo_type);

INSERT INTO `mobility.geography_cells` (country_code, geo_type, geo_id, cell_id, weight)
SELECT staged.country_code, staged.geo_type, staged.geo_id, staged.cell_id, staged.weight
FROM `staging.import_geography_cells` AS staged;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, COUNT(*) AS row_count
  FROM `staging.import_geography_cells`
  GROUP BY country_code
) AS loaded
LEFT JOIN (
  SELECT country_code, MAX(version) AS version
  FROM `intake.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date IS NULL AND tick IS NULL
  GROUP BY country_code
) AS earlier
  ON earlier.country_code = loaded.country_code;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
SELECT
  loaded.country_code, @table_name, CAST(NULL AS DATE), CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, CURRENT_TIMESTAMP()
FROM (
  SELECT country_code, COUNT(*) AS row_count
  FROM `staging.import_geography_cells`
  GROUP BY country_code
) AS loaded
LEFT JOIN (
  SELECT country_code, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date IS NULL AND tick IS NULL
  GROUP BY country_code
) AS earlier
  ON earlier.country_code = loaded.country_code;

COMMIT TRANSACTION
