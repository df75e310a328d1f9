-- Scenario B: what a customer without a cloud project queries in the provider's. Authorised on the dataset realtime_customers; acmemobility is the
-- customer's. The table is the customer's own: what a query is billed does not depend on others.
CREATE TABLE IF NOT EXISTS realtime_customers.headcounts_acmemobility (
  tick TIMESTAMP NOT NULL OPTIONS (description = 'The refresh that computed the row, or the change after which the map was measured by itself'),
  timestamp TIMESTAMP NOT NULL OPTIONS (description = 'The measurement: the presence tick that was read'),
  uid STRING NOT NULL,
  target_id STRING NOT NULL,
  target_name STRING NOT NULL,
  people_count INT64 NOT NULL OPTIONS (description = '0 unless result is SUCCESS'),
  result STRING NOT NULL
)
PARTITION BY TIMESTAMP_TRUNC(timestamp, DAY)
CLUSTER BY target_id
OPTIONS (partition_expiration_days = 400, description = 'Headcounts of one customer, one row a map and tick');
