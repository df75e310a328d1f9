-- @tick TIMESTAMP
-- @oldest TIMESTAMP
SELECT DISTINCT tick
FROM (
  SELECT MAX(tick) AS tick
  FROM `mobility.batches`
  WHERE table_name = 'presence' AND tick > @oldest AND tick <= @tick
  GROUP BY country_code
)
ORDER BY tick
