-- @country STRING
-- @k INT64
-- @step INT64
-- @protected BOOL
-- @strict BOOL
-- @tick TIMESTAMP
-- @checksum STRING
BEGIN TRANSACTION;

DELETE FROM `staging.import_presence`
WHERE tick = @tick AND country_code = @country AND EXISTS (
  SELECT 1
  FROM (
    SELECT checksum
    FROM `intake.batches`
    WHERE table_name = 'presence' AND tick = @tick AND country_code = @country
    QUALIFY version = MAX(version) OVER () AND COUNT(*) OVER (PARTITION BY version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum
);

MERGE `staging.import_presence` AS staged
USING (
  SELECT tick, country_code, cell_id, people, devices
  FROM `intake.presence`
  WHERE tick = @tick AND country_code = @country AND devices >= @k AND NOT @protected
  QUALIFY COUNT(*) OVER (PARTITION BY cell_id) = 1
) AS old
ON staged.tick = old.tick AND staged.country_code = old.country_code AND staged.cell_id = old.cell_id
WHEN MATCHED AND ABS(staged.devices - old.devices) < @k THEN
  UPDATE SET people = old.people, devices = old.devices;

DELETE FROM `intake.presence`
WHERE tick = @tick AND country_code = @country AND EXISTS (SELECT 1 FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country);

INSERT INTO `intake.presence` (tick, country_code, cell_id, people, devices)
SELECT tick, country_code, cell_id, people, devices FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1, loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country) AS loaded
CROSS JOIN (SELECT MAX(version) AS version FROM `intake.batches` WHERE table_name = 'presence' AND tick = @tick AND country_code = @country) AS earlier
WHERE loaded.row_count > 0;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
SELECT @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1, published.row_count, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM (SELECT tick, country_code, cell_id, GREATEST(@step, DIV(2 * people + @step, 2 * @step) * @step) AS people FROM `intake.presence` WHERE tick = @tick AND country_code = @country AND devices >= @k AND (NOT @strict OR MOD(UNIX_SECONDS(@tick), 900) = 0))) AS published
CROSS JOIN (SELECT MAX(version) AS version FROM `mobility.batches` WHERE table_name = 'presence' AND tick = @tick AND country_code = @country) AS earlier
CROSS JOIN (SELECT COUNT(*) AS row_count FROM `realtime.presence` WHERE tick = @tick AND country_code = @country) AS standing
CROSS JOIN (
  SELECT COUNT(*) AS row_count
  FROM (
    SELECT tick, country_code, cell_id, GREATEST(@step, DIV(2 * people + @step, 2 * @step) * @step) AS people FROM `intake.presence` WHERE tick = @tick AND country_code = @country AND devices >= @k AND (NOT @strict OR MOD(UNIX_SECONDS(@tick), 900) = 0)
    EXCEPT DISTINCT
    SELECT tick, country_code, cell_id, people FROM `realtime.presence` WHERE tick = @tick AND country_code = @country
  )
) AS changed
WHERE EXISTS (SELECT 1 FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country) AND (NOT @strict OR MOD(UNIX_SECONDS(@tick), 900) = 0) AND (earlier.version IS NULL OR standing.row_count <> published.row_count OR changed.row_count > 0);

DELETE FROM `realtime.presence`
WHERE tick = @tick AND country_code = @country AND EXISTS (SELECT 1 FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country);

INSERT INTO `realtime.presence` (tick, country_code, cell_id, people)
SELECT tick, country_code, cell_id, GREATEST(@step, DIV(2 * people + @step, 2 * @step) * @step) AS people FROM `intake.presence` WHERE tick = @tick AND country_code = @country AND devices >= @k AND (NOT @strict OR MOD(UNIX_SECONDS(@tick), 900) = 0) AND EXISTS (SELECT 1 FROM `staging.import_presence` WHERE tick = @tick AND country_code = @country);

COMMIT TRANSACTION
