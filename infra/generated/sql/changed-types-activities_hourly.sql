-- @table_name STRING
-- @first_date DATE
-- @last_date DATE
-- @country_0 STRING
-- @finest_0 INT64
-- @protected_0 BOOL
WITH staged AS (
  SELECT DISTINCT country_code, batch_date, geo_type
  FROM `staging.import_activities_hourly`
  WHERE devices > 0
),
newest AS (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM `mobility.batches`
  WHERE table_name = @table_name AND country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date
  GROUP BY country_code, batch_date
),
published AS (
  SELECT noted.country_code, noted.batch_date, noted.geo_type
  FROM `mobility.batch_geo_types` AS noted
  JOIN newest ON newest.country_code = noted.country_code AND newest.batch_date = noted.batch_date AND newest.version = noted.version
  WHERE noted.table_name = @table_name AND noted.batch_date BETWEEN @first_date AND @last_date
),
delivered AS (
  SELECT country_code, batch_date, geo_type FROM published
  UNION DISTINCT
  SELECT country_code, batch_date, geo_type
  FROM `intake.activities_hourly` AS target
  WHERE target.loaded_on > "1970-01-01" AND target.devices > 0 AND target.batch_date BETWEEN @first_date AND @last_date
  AND target.country_code IN (@country_0)
  AND EXISTS (SELECT 1 FROM `staging.import_activities_hourly` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)
),
changed AS (
  SELECT country_code, batch_date, geo_type, TRUE AS is_new FROM (SELECT country_code, batch_date, geo_type FROM staged EXCEPT DISTINCT SELECT country_code, batch_date, geo_type FROM delivered)
  UNION ALL
  SELECT country_code, batch_date, geo_type, FALSE FROM (SELECT country_code, batch_date, geo_type FROM delivered EXCEPT DISTINCT SELECT country_code, batch_date, geo_type FROM staged)
)
SELECT changed.country_code, FORMAT_DATE('%F', changed.batch_date) AS period, changed.geo_type, changed.is_new
FROM changed
JOIN (SELECT country_code, batch_date, MAX(CASE geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END) AS coarsest FROM published GROUP BY country_code, batch_date) AS standing ON standing.country_code = changed.country_code AND standing.batch_date = changed.batch_date
JOIN (SELECT country_code, batch_date, MAX(CASE geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END) AS coarsest FROM staged GROUP BY country_code, batch_date) AS loaded ON loaded.country_code = changed.country_code AND loaded.batch_date = changed.batch_date
WHERE CASE changed.geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END > CASE changed.country_code WHEN @country_0 THEN @finest_0 END
  AND CASE changed.geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END < IF(changed.is_new, standing.coarsest, loaded.coarsest)
  AND NOT CASE changed.country_code WHEN @country_0 THEN @protected_0 END
ORDER BY 1, 2, 3
