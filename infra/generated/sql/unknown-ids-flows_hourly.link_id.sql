SELECT COUNT(*) AS count, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.link_id AS id
  FROM `staging.import_flows_hourly` AS staged
  LEFT JOIN `mobility.road_links` AS known ON known.country_code = staged.country_code AND known.link_id = staged.link_id
  WHERE known.link_id IS NULL
)
