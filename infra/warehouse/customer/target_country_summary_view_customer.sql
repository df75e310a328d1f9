-- Scenario A: what is behind a customer's listing in the data-sharing hub, in eu. Authorised on the dataset realtime_eu. The table
-- is the customer's own, as in scenario B.
CREATE TABLE IF NOT EXISTS realtime_eu.headcounts_{uid} (
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
CREATE SCHEMA IF NOT EXISTS customer_{uid}_eu OPTIONS (location = 'eu', description = "Shared through the customer's listing");
CREATE OR REPLACE VIEW customer_{uid}_eu.target_country_summary_view_customer
OPTIONS (description = "Headcounts of the customer's monitored maps; people_count is null unless result is SUCCESS")
AS SELECT target_name, timestamp, IF(result = 'SUCCESS', people_count, NULL) AS people_count, target_id, result
FROM `realtime_eu.headcounts_{uid}`
WHERE uid = '{uid}'
-- A measurement that two ticks have read has one row: the later tick may have read a correction. Another result has a row of its own, so that a
-- headcount that was published stays when its measurement grows stale.
QUALIFY ROW_NUMBER() OVER (PARTITION BY target_id, timestamp, result ORDER BY tick DESC) = 1;
