-- @country_code STRING
-- @geo_type STRING
-- @after INT64
-- @ids ARRAY<INT64>
-- @west FLOAT64
-- @south FLOAT64
-- @east FLOAT64
-- @north FLOAT64
-- @name STRING
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
      FROM `mobility.geographies`
      WHERE country_code = @country_code AND geo_type = @geo_type
        AND geo_id > @after
        AND geo_id IN UNNEST(@ids)
        AND STRPOS(REPLACE(REPLACE(REPLACE(TRANSLATE(REGEXP_REPLACE(NORMALIZE_AND_CASEFOLD(geo_name, NFD), r'\pM', ''), 'øłđðħŧŋıĸǥʒ', 'olddhtnikgz'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), NULLIF(REPLACE(REPLACE(REPLACE(TRANSLATE(REGEXP_REPLACE(NORMALIZE_AND_CASEFOLD(@name, NFD), r'\pM', ''), 'øłđðħŧŋıĸǥʒ', 'olddhtnikgz'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), '')) > 0
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
