CREATE TABLE IF NOT EXISTS realtime.headcounts (
  tick TIMESTAMP NOT NULL OPTIONS (description = 'The refresh that computed the row, or the change after which the map was measured by itself'),
  timestamp TIMESTAMP NOT NULL OPTIONS (description = 'The measurement: the presence tick that was read'),
  uid STRING NOT NULL,
  target_id STRING NOT NULL,
  target_name STRING NOT NULL,
  people_count INT64 NOT NULL OPTIONS (description = '0 unless result is SUCCESS'),
  result STRING NOT NULL
)
PARTITION BY TIMESTAMP_TRUNC(timestamp, DAY)
CLUSTER BY uid, target_id
OPTIONS (partition_expiration_days = 400, description = 'Headcounts of monitored maps, one row a map and tick');
