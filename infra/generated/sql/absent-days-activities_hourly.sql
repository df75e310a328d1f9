SELECT staged.country_code, FORMAT_DATE('%F', staged.batch_date) AS period
FROM (SELECT DISTINCT country_code, batch_date FROM `staging.import_activities_daily`) AS staged
LEFT JOIN (
  SELECT DISTINCT country_code, batch_date
  FROM `intake.activities_hourly`
  WHERE loaded_on > "1970-01-01"
) AS present
  ON present.country_code = staged.country_code AND present.batch_date = staged.batch_date
WHERE present.country_code IS NULL
