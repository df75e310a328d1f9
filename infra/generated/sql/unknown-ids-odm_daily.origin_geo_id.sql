SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.origin_geo_id AS id
  FROM `staging.import_odm_daily` AS staged
  LEFT JOIN `mobility.geographies` AS known ON known.country_code = staged.country_code AND known.geo_type = staged.origin_geo_type AND known.geo_id = staged.origin_geo_id
  WHERE known.geo_id IS NULL
)
