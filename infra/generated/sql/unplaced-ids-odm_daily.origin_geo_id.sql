SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.origin_geo_id AS id
  FROM `staging.import_odm_daily` AS staged
  JOIN `mobility.geographies` AS known
    ON known.country_code = staged.country_code AND known.geo_type = staged.origin_geo_type AND known.geo_id = staged.origin_geo_id
  WHERE known.parent_id IS NULL AND known.geo_type IN ('grid_250m', 'grid_1000m', 'admin_level_4')
)
