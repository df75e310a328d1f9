-- @country_code STRING
-- @middle_lon FLOAT64
-- @middle_lat FLOAT64
-- @radius FLOAT64
-- @west FLOAT64
-- @south FLOAT64
-- @east FLOAT64
-- @north FLOAT64
-- @rows_max INT64
-- @characters_max INT64
SELECT geo_id, geo_name, lon, lat, geometry
FROM (
  SELECT geo_id, geo_name, lon, lat, geometry,
    SUM(LENGTH(geometry)) OVER (ORDER BY geo_id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS characters
  FROM (
    SELECT geo_id, geo_name, lon, lat, geometry
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
      FROM (
  SELECT link_id AS geo_id, name AS geo_name, ROUND(ST_X(ST_CENTROID(geometry)), 6) AS lon,
    ROUND(ST_Y(ST_CENTROID(geometry)), 6) AS lat, ST_ASTEXT(geometry) AS geometry,
    CAST(NULL AS FLOAT64) AS west, CAST(NULL AS FLOAT64) AS south, CAST(NULL AS FLOAT64) AS east, CAST(NULL AS FLOAT64) AS north
  FROM `mobility.road_links`
  WHERE country_code = @country_code AND ST_DWITHIN(geometry, ST_GEOGPOINT(@middle_lon, @middle_lat), @radius)
)
      WHERE geometry IS NOT NULL
    )
  )
)
    WHERE IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, west <= @east AND east >= @west AND south <= @north AND north >= @south)
    ORDER BY geo_id
    LIMIT @rows_max
  )
)
WHERE IFNULL(characters, 0) <= @characters_max
ORDER BY geo_id
