-- @country STRING
-- @batch_date DATE
-- @time_zone STRING
-- @people_per_device FLOAT64
SELECT column_name, value, says, correct, row_key, COUNT(*) OVER () AS total
FROM (
  SELECT 'country_code' AS column_name, r.country_code AS value, 'is another country' AS says, @country AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.country_code <> @country
  UNION ALL
  SELECT 'batch_date' AS column_name, CAST(r.batch_date AS STRING) AS value, 'is another day' AS says, CAST(@batch_date AS STRING) AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.batch_date <> @batch_date
  UNION ALL
  SELECT 'people' AS column_name, CAST(r.people AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.people < 0
  UNION ALL
  SELECT 'stays_count' AS column_name, CAST(r.stays_count AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.stays_count < 0
  UNION ALL
  SELECT 'stays_dwell_minutes' AS column_name, CAST(r.stays_dwell_minutes AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.stays_dwell_minutes < 0
  UNION ALL
  SELECT 'stays_devices' AS column_name, CAST(r.stays_devices AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.stays_devices < 0
  UNION ALL
  SELECT 'devices' AS column_name, CAST(r.devices AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.devices < 0
  UNION ALL
  SELECT 'geo_type' AS column_name, r.geo_type AS value, 'is no geography type' AS says, 'grid_250m, grid_1000m, admin_level_2, admin_level_4, osm_links' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.geo_type NOT IN ('grid_250m', 'grid_1000m', 'admin_level_2', 'admin_level_4', 'osm_links')
  UNION ALL
  SELECT 'time_bucket' AS column_name, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket) AS value, CONCAT('is not on the day in ', @time_zone) AS says, CONCAT('an instant of ', CAST(@batch_date AS STRING), ' in ', @time_zone) AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE NOT (DATE(r.time_bucket, @time_zone) = @batch_date)
  UNION ALL
  SELECT 'time_bucket' AS column_name, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket) AS value, 'is not when the day begins' AS says, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', TIMESTAMP(@batch_date, @time_zone)) AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE DATE(r.time_bucket, @time_zone) = @batch_date AND r.time_bucket <> TIMESTAMP(@batch_date, @time_zone)
  UNION ALL
  SELECT 'people' AS column_name, CAST(r.people AS STRING) AS value, CONCAT('is more people than ', CAST(r.devices AS STRING), ' devices stand for') AS says, CONCAT('at most ', CAST(CAST(CEIL(r.devices * @people_per_device) AS INT64) AS STRING)) AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.people > CAST(CEIL(r.devices * @people_per_device) AS INT64)
  UNION ALL
  SELECT 'stays_devices' AS column_name, CAST(r.stays_devices AS STRING) AS value, 'is more than the devices of the row' AS says, CONCAT('at most ', CAST(r.devices AS STRING)) AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE r.stays_devices > r.devices
  UNION ALL
  SELECT 'geo_id' AS column_name, CAST(r.geo_id AS STRING) AS value, 'is not in geographies' AS says, 'an id of geographies, or geographies with this id loaded first' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  LEFT JOIN `mobility.geographies` AS known ON known.country_code = r.country_code AND known.geo_type = r.geo_type AND known.geo_id = r.geo_id
  WHERE known.geo_id IS NULL
  UNION ALL
  SELECT 'time_bucket' AS column_name, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket) AS value, 'is on a row whose key another row has too' AS says, 'one row for each country_code, geo_type, geo_id, time_bucket' AS correct, [r.country_code, r.geo_type, CAST(r.geo_id AS STRING), FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%SZ', r.time_bucket)] AS row_key
  FROM `staging.import_activities_daily` AS r
  WHERE TRUE
  QUALIFY COUNT(*) OVER (PARTITION BY r.country_code, r.geo_type, r.geo_id, r.time_bucket) > 1
)
ORDER BY column_name, value, says
LIMIT 20
