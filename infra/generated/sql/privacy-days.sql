SELECT country_code, FORMAT_DATE('%F', batch_date) AS day,
  COALESCE(MAX(loaded_at) > MIN(IF(table_name = 'activities_daily', loaded_at, NULL)), FALSE) AS is_corrected
FROM `mobility.batches`
WHERE table_name IN ('activities_hourly', 'activities_daily')
GROUP BY country_code, batch_date
HAVING COUNTIF(table_name = 'activities_hourly') > 0
ORDER BY country_code, day
