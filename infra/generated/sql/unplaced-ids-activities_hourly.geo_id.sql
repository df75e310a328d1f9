SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.geo_id AS id
  FROM `staging.import_activities_hourly` AS staged
  JOIN `mobility.geographies` AS known
    ON known.country_code = staged.country_code AND known.geo_type = staged.geo_type AND known.geo_id = staged.geo_id
  LEFT JOIN `mobility.geographies` AS parent
    ON parent.country_code = known.country_code AND parent.geo_id = known.parent_id
    AND parent.geo_type = CASE known.geo_type WHEN 'admin_level_4' THEN 'admin_level_2' ELSE 'admin_level_4' END
  WHERE parent.geo_id IS NULL AND known.geo_type IN ('grid_250m', 'grid_1000m', 'admin_level_4')
)
