SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.geo_id AS id
  FROM `staging.import_geographies` AS staged
  LEFT JOIN `mobility.geographies` AS parent
    ON parent.country_code = staged.country_code AND parent.geo_id = staged.parent_id AND parent.geo_type = CASE staged.geo_type WHEN 'admin_level_4' THEN 'admin_level_2' ELSE 'admin_level_4' END
  WHERE staged.parent_id IS NOT NULL AND parent.geo_id IS NULL
)
