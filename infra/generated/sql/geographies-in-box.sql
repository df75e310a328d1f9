-- @country_code STRING
-- @geo_type STRING
-- @west FLOAT64
-- @south FLOAT64
-- @east FLOAT64
-- @north FLOAT64
SELECT COUNT(*) AS geographies,
  ARRAY_AGG(STRUCT(geo_id, characters, IF(before < 1048576, geometry, NULL) AS geometry) ORDER BY geo_id LIMIT 5000) AS first
FROM (
  SELECT geo_id, geometry, IFNULL(LENGTH(geometry), 0) AS characters,
    IFNULL(SUM(LENGTH(geometry)) OVER (ORDER BY geo_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
  FROM (
    SELECT geo_id, IF(west >= @west AND east <= @east AND south >= @south AND north <= @north, NULL, geometry) AS geometry
    FROM (
  SELECT geo_id, geo_name, lon, lat, geometry,
    COALESCE(west, (SELECT MIN(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(unmeasured, r'([^\s(),]+)\s+[^\s(),]+')) AS value)) AS west,
    COALESCE(south, (SELECT MIN(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(unmeasured, r'[^\s(),]+\s+([^\s(),]+)')) AS value)) AS south,
    COALESCE(east, (SELECT MAX(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(unmeasured, r'([^\s(),]+)\s+[^\s(),]+')) AS value)) AS east,
    COALESCE(north, (SELECT MAX(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(unmeasured, r'[^\s(),]+\s+([^\s(),]+)')) AS value)) AS north
  FROM (
    SELECT *, IF(west IS NULL, geometry, NULL) AS unmeasured
    FROM (
      SELECT geo_id, geo_name, lon, lat, geometry, west, south, east, north
      FROM `mobility.geographies`
      WHERE country_code = @country_code AND geo_type = @geo_type
    )
  )
)
    WHERE IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, west <= @east AND east >= @west AND south <= @north AND north >= @south)
  )
)
