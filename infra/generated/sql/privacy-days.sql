SELECT country_code, FORMAT_DATE('%F', batch_date) AS day, MAX(version) > 1 AS is_corrected
FROM `mobility.batches`
WHERE table_name IN ('activities_hourly', 'activities_daily')
GROUP BY country_code, batch_date
HAVING COUNTIF(table_name = 'activities_hourly') > 0
ORDER BY country_code, day
