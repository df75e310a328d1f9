-- @country_code STRING
-- @first_date DATE
-- @last_date DATE
SELECT loaded.table_name, FORMAT_DATE('%F', loaded.batch_date) AS period, published.row_count AS published_rows
FROM (
  SELECT table_name, batch_date, version, row_count
  FROM `intake.batches`
  WHERE table_name IN ('activities_daily') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
) AS loaded
LEFT JOIN (
  SELECT table_name, batch_date, version, row_count, is_deleted
  FROM `mobility.batches`
  WHERE table_name IN ('activities_daily') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
) AS published
  ON published.table_name = loaded.table_name AND published.batch_date = loaded.batch_date
WHERE loaded.row_count > 0
ORDER BY loaded.table_name, loaded.batch_date
