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
