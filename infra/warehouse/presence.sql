-- The feed: who is where. `npm run import -- presence --file F` plays files of ticks in; a pipeline of the provider's own keeps to this contract.
--
-- A batch is one country and one tick. `tick` is an instant of the grid of five minutes (…:00, :05, :10 UTC). A batch has one row for each 250 m
-- cell in which somebody was, `devices` raw, before any scaling; cells below k are delivered too. Only the loader reads these rows: the service
-- and its customers' views read `realtime.presence`.
--
-- Load the rows of the batch into `staging.presence_of_this_load` with a load job, a table of the columns tick, country_code, cell_id, people and
-- devices; then run `infra/generated/sql/load-presence.sql` as one script, with that table's name in place of `staging.import_presence`, under the
-- loader's account. Streamed rows cannot be replaced for a while. Its parameters are the country and its rules: `k`, `step` (what k devices stand
-- for at most, rounded up to a multiple of five, twice that in the strict profile; 1 with `protected: true`), `protected` and `strict`; the tick; and a checksum of what you load. In one
-- transaction it
--
--   skips      a batch whose newest load has the same checksum;
--   keeps      the raw row of a cell that had at least k devices and now differs by fewer than k: otherwise the two published numbers would tell of
--              fewer than k devices. Not with `protected`;
--   replaces   the rows of `intake.presence`, and writes the row of this load in `intake.batches`;
--   publishes  the cells of at least k devices, people to the nearest step, in `realtime.presence`; with `strict` only of the ticks of :00, :15, :30
--              and :45, the others stay in `intake`. The version in `mobility.batches` is 1 after the
--              first load, also where no cell is published, and rises only where published cells changed.
--
-- The row in `mobility.batches` is what makes a tick complete: one without it is not read, whatever rows it has. What the service does with a tick
-- that is
--   on time    the refresh of each five minutes counts in every country's newest complete tick at or before its own time, so load a tick before then;
--   repeated   the script changes nothing;
--   corrected  its rows are replaced whole. Headcounts that were published stay; refreshes that still find the tick the newest use the correction;
--   partial    a batch with fewer rows is a corrected batch: cells left out hold nobody. Do not load a tick that is not all there;
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

-- The published cells of each tick: those of at least k devices, people in steps. Headcounts are their sums.
CREATE TABLE IF NOT EXISTS realtime.presence (
  tick TIMESTAMP NOT NULL,
  country_code STRING NOT NULL,
  cell_id INT64 NOT NULL OPTIONS (description = 'Grid id of a 250 m cell'),
  people INT64 NOT NULL
)
PARTITION BY TIMESTAMP_TRUNC(tick, HOUR)
CLUSTER BY country_code, cell_id
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 2, description = 'Who is where, published, one row a cell and tick of five minutes');
