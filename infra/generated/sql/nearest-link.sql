-- @country_code STRING
-- @lon FLOAT64
-- @lat FLOAT64
SELECT link_id, link_name, link_type, line
FROM (
  SELECT link_id, name AS link_name, class AS link_type, ST_ASTEXT(geometry) AS line,
    ST_DISTANCE(geometry, ST_GEOGPOINT(@lon, @lat)) AS metres
  FROM `mobility.road_links`
  WHERE country_code = @country_code AND ST_DWITHIN(geometry, ST_GEOGPOINT(@lon, @lat), 2013.4)
)
WHERE TRUE
QUALIFY metres <= 1.0103 * MIN(metres) OVER () + 2
