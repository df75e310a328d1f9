-- @country STRING
-- @tick TIMESTAMP
-- @checksum STRING
BEGIN TRANSACTION;

DELETE FROM `staging.import_presence`
WHERE tick = @tick AND country_code = @country AND EXISTS (
  SELECT 1
  FROM (
    SELECT checksum
    FROM `mobility.batches`
    WHERE table_name = 'presence' AND tick = @tick AND country_code = @country
    QUALIFY version = MAX(version) OVER () AND COUNT(*) OVER (PARTITION BY version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum
);

DELETE FROM `mobility.presence`
WHERE tick = @tick AND country_code = @country AND EXISTS (SELECT 1 FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country);

INSERT INTO `mobility.presence` (tick, country_code, cell_id, people, devices)
SELECT tick, country_code, cell_id, people, devices FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1,
  loaded.row_count, 0, @checksum, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country) AS loaded
CROSS JOIN (SELECT MAX(version) AS version FROM `mobility.batches` WHERE table_name = 'presence' AND tick = @tick AND country_code = @country) AS earlier
WHERE loaded.row_count > 0;

COMMIT TRANSACTION
