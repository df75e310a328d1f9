CREATE TABLE IF NOT EXISTS mobility.presence (
  tick TIMESTAMP NOT NULL,
  country_code STRING NOT NULL,
  cell_id INT64 NOT NULL OPTIONS (description = 'Grid id of a 250 m cell'),
  people INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves')
)
PARTITION BY TIMESTAMP_TRUNC(tick, HOUR)
CLUSTER BY country_code, cell_id
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 2, description = 'Who is where, one row a cell and tick of five minutes');
