-- @country_code STRING
-- @geo_type STRING
-- @west FLOAT64
-- @south FLOAT64
-- @east FLOAT64
-- @north FLOAT64
SELECT COUNT(*) AS geographies, ARRAY_AGG(STRUCT(geo_id, geometry) ORDER BY geo_id LIMIT 5000) AS first
FROM (
  SELECT geo_id, IF((SELECT MIN(CAST(value AS FLOAT64)) >= @west AND MAX(CAST(value AS FLOAT64)) <= @east FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'([^\s(),]+)\s+[^\s(),]+')) AS value) AND (SELECT MIN(CAST(value AS FLOAT64)) >= @south AND MAX(CAST(value AS FLOAT64)) <= @north FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'[^\s(),]+\s+([^\s(),]+)')) AS value), NULL, geometry) AS geometry
  FROM `mobility.geographies`
  WHERE country_code = @country_code AND geo_type = @geo_type AND IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, (SELECT MIN(CAST(value AS FLOAT64)) <= @east AND MAX(CAST(value AS FLOAT64)) >= @west FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'([^\s(),]+)\s+[^\s(),]+')) AS value) AND (SELECT MIN(CAST(value AS FLOAT64)) <= @north AND MAX(CAST(value AS FLOAT64)) >= @south FROM UNNEST(REGEXP_EXTRACT_ALL(geometry, r'[^\s(),]+\s+([^\s(),]+)')) AS value))
)
