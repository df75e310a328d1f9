SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.geo_id AS id
  FROM `staging.import_activities_daily` AS staged
  LEFT JOIN `mobility.geographies` AS known ON known.country_code = staged.country_code AND known.geo_type = staged.geo_type AND known.geo_id = staged.geo_id
  WHERE known.geo_id IS NULL
)
