-- The feed: who is where. `npm run import -- presence --file F` plays files of ticks in; a pipeline of the provider's own keeps to this contract.
--
-- A batch is one country and one tick. `tick` is an instant of the grid of five minutes (…:00, :05, :10 UTC). A batch has one row for each 250 m
-- cell in which somebody was, `devices` raw, before any scaling; cells below k are delivered too: the reader compares each cell's `devices` with the
-- k of the country, so nothing is withheld here.
--
-- Load the rows of the batch into a table of `staging` with a load job, then run one transaction (streamed rows cannot be replaced for a while):
--
--   BEGIN TRANSACTION;
--   DELETE FROM mobility.presence WHERE tick = @tick AND country_code = @country;
--   INSERT INTO mobility.presence (tick, country_code, cell_id, people, devices)
--   SELECT @tick, @country, cell_id, people, devices FROM staging.presence_of_this_load;
--   INSERT INTO mobility.batches (country_code, table_name, tick, version, row_count, suppressed_count, checksum, loaded_at)
--   SELECT @country, 'presence', @tick, COALESCE(MAX(version), 0) + 1, @rows, 0, @sha256, CURRENT_TIMESTAMP()
--   FROM mobility.batches WHERE table_name = 'presence' AND country_code = @country AND tick = @tick;
--   COMMIT TRANSACTION;
--
-- The ledger row is what makes a tick complete: one without it is not read, whatever rows it has. Write it last or, as here, with the rows. What
-- the service does with a tick that is
--   on time    the refresh of each five minutes counts in every country's newest complete tick at or before its own time, so load a tick before then;
--   repeated   the transaction leaves the same rows; compare the checksum with the ledger's newest version first to spare it;
--   corrected  its rows are replaced whole and its version counts up. Headcounts that were published stay; refreshes that still find the tick the
--              newest use the correction;
--   partial    a batch with fewer rows is a corrected batch: cells left out hold nobody. Do not write the ledger row of a tick that is not all there;
--   late       a tick older than one that was read already is kept for history and changes no headcount that was published;
--   missing    the tick before it is read again under its own time, until that is more than 15 minutes old: then headcounts are STALE;
--   early      a tick ahead of the clock is read when its time has come;
--   expired    an hour's rows are gone two days after the hour began. Do not load what is older.
CREATE TABLE IF NOT EXISTS intake.presence (
  tick TIMESTAMP NOT NULL,
  country_code STRING NOT NULL,
  cell_id INT64 NOT NULL OPTIONS (description = 'Grid id of a 250 m cell'),
  people INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves')
)
PARTITION BY TIMESTAMP_TRUNC(tick, HOUR)
CLUSTER BY country_code, cell_id
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 2, description = 'Who is where, raw, one row a cell and tick of five minutes');
