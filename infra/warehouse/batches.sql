-- What was loaded. Only loads read it: the checksum tells a repeated load from a new one.
CREATE TABLE IF NOT EXISTS intake.batches (
  country_code STRING NOT NULL,
  table_name STRING NOT NULL,
  batch_date DATE OPTIONS (description = 'The day of a daily batch; null for a tick or a dimension'),
  tick TIMESTAMP OPTIONS (description = 'The tick of a presence batch'),
  version INT64 NOT NULL OPTIONS (description = 'Counts the loads of this batch, from 1'),
  row_count INT64 NOT NULL,
  checksum STRING NOT NULL OPTIONS (description = 'SHA-256 of what was loaded; the same again is no load'),
  loaded_at TIMESTAMP NOT NULL
)
CLUSTER BY country_code, table_name
OPTIONS (description = 'The ledger of loads: one row for each load');

CREATE TABLE IF NOT EXISTS mobility.batches (
  country_code STRING NOT NULL,
  table_name STRING NOT NULL,
  batch_date DATE OPTIONS (description = 'The day of a daily batch; null for a tick or a dimension'),
  tick TIMESTAMP OPTIONS (description = 'The tick of a presence batch'),
  version INT64 NOT NULL OPTIONS (description = 'From 1; rises only with a load that changed what is published'),
  row_count INT64 NOT NULL OPTIONS (description = 'Published rows'),
  bytes INT64 OPTIONS (description = 'Bytes of the published rows of facts; null if the load did not count them'),
  loaded_at TIMESTAMP NOT NULL,
  is_deleted BOOL OPTIONS (description = 'Whether this version is a deletion: the batch has no data until it is loaded again')
)
CLUSTER BY country_code, table_name
OPTIONS (description = 'The ledger of what is published; the newest version of a batch is its state');
