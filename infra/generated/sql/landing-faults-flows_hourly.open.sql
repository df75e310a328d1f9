-- @country STRING
-- @batch_date DATE
-- @time_zone STRING
-- @people_per_device FLOAT64
SELECT column_name, value, says, correct, row_key, COUNT(*) OVER () AS total
FROM (
  SELECT 'country_code' AS column_name, r.country_code AS value, 'is another country' AS says, @country AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.country_code <> @country
  UNION ALL
  SELECT 'batch_date' AS column_name, CAST(r.batch_date AS STRING) AS value, 'is another day' AS says, CAST(@batch_date AS STRING) AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.batch_date <> @batch_date
  UNION ALL
  SELECT 'people' AS column_name, CAST(r.people AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.people < 0
  UNION ALL
  SELECT 'devices' AS column_name, CAST(r.devices AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.devices < 0
  UNION ALL
  SELECT 'direction' AS column_name, CAST(r.direction AS STRING) AS value, 'is no direction' AS says, '-1 or 1' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.direction NOT IN (-1, 1)
  UNION ALL
  SELECT 'time_bucket' AS column_name, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket) AS value, CONCAT('is not on the day in ', @time_zone) AS says, CONCAT('an instant of ', CAST(@batch_date AS STRING), ' in ', @time_zone) AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE NOT (DATE(r.time_bucket, @time_zone) = @batch_date)
  UNION ALL
  SELECT 'time_bucket' AS column_name, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket) AS value, 'is not the start of an hour' AS says, 'minutes and seconds of 0' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.time_bucket <> TIMESTAMP_TRUNC(r.time_bucket, HOUR)
  UNION ALL
  SELECT 'people' AS column_name, CAST(r.people AS STRING) AS value, CONCAT('is more people than ', CAST(r.devices AS STRING), ' devices stand for') AS says, CONCAT('at most ', CAST(CAST(CEIL(r.devices * @people_per_device) AS INT64) AS STRING)) AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE r.people > CAST(CEIL(r.devices * @people_per_device) AS INT64)
  UNION ALL
  SELECT 'link_id' AS column_name, CAST(r.link_id AS STRING) AS value, 'is not in road_links' AS says, 'an id of road_links, or road_links with this id loaded first' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  LEFT JOIN `mobility.road_links` AS known ON known.country_code = r.country_code AND known.link_id = r.link_id
  WHERE known.link_id IS NULL
  UNION ALL
  SELECT 'direction' AS column_name, CAST(r.direction AS STRING) AS value, 'is on a row whose key another row has too' AS says, 'one row for each country_code, link_id, time_bucket, direction' AS correct, [r.country_code, CAST(r.link_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket), CAST(r.direction AS STRING)] AS row_key
  FROM `staging.import_flows_hourly` AS r
  WHERE TRUE
  QUALIFY COUNT(*) OVER (PARTITION BY r.country_code, r.link_id, r.time_bucket, r.direction) > 1
)
ORDER BY column_name, value, says
LIMIT 20
