CREATE OR REPLACE VIEW customer_acmemobility.realtime_data
OPTIONS (description = "Headcounts of the customer's monitored maps; people_count is null unless result is SUCCESS")
AS SELECT target_name, timestamp, IF(result = 'SUCCESS', people_count, NULL) AS people_count, target_id, result
FROM `realtime_customers.headcounts_acmemobility`
WHERE uid = 'acmemobility'
-- A measurement that two ticks have read has one row: the later tick may have read a correction. Another result has a row of its own, so that a
-- headcount that was published stays when its measurement grows stale.
QUALIFY ROW_NUMBER() OVER (PARTITION BY target_id, timestamp, result ORDER BY tick DESC) = 1;
