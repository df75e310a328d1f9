-- Scenario B: what a customer without a cloud project queries in the provider's. Authorised on the dataset realtime; {uid} is the customer's.
CREATE SCHEMA IF NOT EXISTS customer_{uid} OPTIONS (location = 'europe-north1', description = 'Personal dataset');
CREATE OR REPLACE VIEW customer_{uid}.realtime_data
OPTIONS (description = "Headcounts of the customer's monitored maps; people_count is null unless result is SUCCESS")
AS SELECT target_name, timestamp, IF(result = 'SUCCESS', people_count, NULL) AS people_count, target_id, result
FROM `realtime.headcounts`
WHERE uid = '{uid}'
-- A measurement that two ticks have read has one row: the later tick may have read a correction. Another result has a row of its own, so that a
-- headcount that was published stays when its measurement grows stale.
QUALIFY ROW_NUMBER() OVER (PARTITION BY target_id, timestamp, result ORDER BY tick DESC) = 1;
