SELECT country_code, FORMAT_DATE('%F', batch_date) AS day
FROM `mobility.batches`
WHERE table_name = 'activities_hourly'
GROUP BY country_code, batch_date
ORDER BY country_code, day
