CREATE OR REPLACE VIEW customer_acmemobility_eu.target_country_summary_view_customer
OPTIONS (description = "Headcounts of the customer's monitored maps; a headcount that cannot be told has no row")
AS SELECT target_name, timestamp, people_count
FROM `realtime_eu.headcounts`
WHERE uid = 'acmemobility' AND result = 'SUCCESS'
-- A measurement that two ticks have read has one row: the later tick may have read a correction.
QUALIFY ROW_NUMBER() OVER (PARTITION BY target_id, timestamp ORDER BY tick DESC) = 1;
