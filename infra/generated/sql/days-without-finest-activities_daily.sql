-- @country_0 STRING
-- @finest_0 INT64
SELECT country_code, FORMAT_DATE('%F', batch_date) AS period
FROM `staging.import_activities_daily`
GROUP BY country_code, batch_date
HAVING COUNTIF(COALESCE(CASE geo_type WHEN 'grid_250m' THEN 0 WHEN 'grid_1000m' THEN 1 WHEN 'admin_level_4' THEN 2 WHEN 'admin_level_2' THEN 3 END, CASE country_code WHEN @country_0 THEN @finest_0 END) = CASE country_code WHEN @country_0 THEN @finest_0 END) = 0
ORDER BY country_code, batch_date
