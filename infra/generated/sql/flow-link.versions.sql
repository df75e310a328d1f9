-- @country_code STRING
-- @first_date DATE
-- @last_date DATE
SELECT
  ARRAY(
    SELECT AS STRUCT FORMAT_DATE('%F', batch_date) AS batch_date, MAX(version) AS version
    FROM `mobility.batches`
    WHERE country_code = @country_code AND table_name = 'flows_hourly' AND batch_date BETWEEN @first_date AND @last_date
    GROUP BY 1
    ORDER BY 1
  ) AS data_versions
