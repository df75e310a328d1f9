-- @country STRING
-- @batch_date DATE
SELECT column_name, value, says, correct, row_key, COUNT(*) OVER () AS total
FROM (
  SELECT 'country_code' AS column_name, r.country_code AS value, 'is another country' AS says, @country AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.country_code <> @country
  UNION ALL
  SELECT 'batch_date' AS column_name, CAST(r.batch_date AS STRING) AS value, 'is another day' AS says, CAST(@batch_date AS STRING) AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.batch_date <> @batch_date
  UNION ALL
  SELECT 'trips' AS column_name, CAST(r.trips AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.trips < 0
  UNION ALL
  SELECT 'devices' AS column_name, CAST(r.devices AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.devices < 0
  UNION ALL
  SELECT 'average_speed_kmh' AS column_name, CAST(r.average_speed_kmh AS STRING) AS value, 'is negative' AS says, '0 or more' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.average_speed_kmh < 0
  UNION ALL
  SELECT 'origin_geo_type' AS column_name, r.origin_geo_type AS value, 'is no geography type' AS says, 'grid_250m, grid_1000m, admin_level_2, admin_level_4, osm_links' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.origin_geo_type NOT IN ('grid_250m', 'grid_1000m', 'admin_level_2', 'admin_level_4', 'osm_links')
  UNION ALL
  SELECT 'destination_geo_type' AS column_name, r.destination_geo_type AS value, 'is no geography type' AS says, 'grid_250m, grid_1000m, admin_level_2, admin_level_4, osm_links' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE r.destination_geo_type NOT IN ('grid_250m', 'grid_1000m', 'admin_level_2', 'admin_level_4', 'osm_links')
  UNION ALL
  SELECT 'origin_geo_id' AS column_name, CAST(r.origin_geo_id AS STRING) AS value, 'is not in geographies' AS says, 'an id of geographies, or geographies with this id loaded first' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  LEFT JOIN `mobility.geographies` AS known ON known.country_code = r.country_code AND known.geo_type = r.origin_geo_type AND known.geo_id = r.origin_geo_id
  WHERE known.geo_id IS NULL
  UNION ALL
  SELECT 'destination_geo_id' AS column_name, CAST(r.destination_geo_id AS STRING) AS value, 'is not in geographies' AS says, 'an id of geographies, or geographies with this id loaded first' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  LEFT JOIN `mobility.geographies` AS known ON known.country_code = r.country_code AND known.geo_type = r.destination_geo_type AND known.geo_id = r.destination_geo_id
  WHERE known.geo_id IS NULL
  UNION ALL
  SELECT 'destination_geo_id' AS column_name, CAST(r.destination_geo_id AS STRING) AS value, 'is on a row whose key another row has too' AS says, 'one row for each country_code, batch_date, origin_geo_type, origin_geo_id, destination_geo_type, destination_geo_id' AS correct, [r.country_code, CAST(r.batch_date AS STRING), r.origin_geo_type, CAST(r.origin_geo_id AS STRING), r.destination_geo_type, CAST(r.destination_geo_id AS STRING)] AS row_key
  FROM `staging.import_odm_daily` AS r
  WHERE TRUE
  QUALIFY COUNT(*) OVER (PARTITION BY r.country_code, r.batch_date, r.origin_geo_type, r.origin_geo_id, r.destination_geo_type, r.destination_geo_id) > 1
)
ORDER BY column_name, value, says
LIMIT 20
