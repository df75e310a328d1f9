-- Scenario A: what is behind a customer's listing in the data-sharing hub, in eu. Authorised on the dataset realtime_eu.
CREATE SCHEMA IF NOT EXISTS customer_{uid}_eu OPTIONS (location = 'eu', description = "Shared through the customer's listing");
CREATE OR REPLACE VIEW customer_{uid}_eu.target_country_summary_view_customer
OPTIONS (description = "Headcounts of the customer's monitored maps; a headcount that cannot be told has no row")
AS SELECT target_name, timestamp, people_count
FROM `realtime_eu.headcounts`
WHERE uid = '{uid}' AND result = 'SUCCESS'
-- A measurement that two ticks have read has one row: the later tick may have read a correction.
QUALIFY ROW_NUMBER() OVER (PARTITION BY target_id, timestamp ORDER BY tick DESC) = 1;
