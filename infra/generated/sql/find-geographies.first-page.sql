-- @country_code STRING
-- @geo_type STRING
-- @rows_max INT64
-- @characters_max INT64
SELECT geo_id, geo_name, lon, lat, geometry
FROM (
  SELECT geo_id, geo_name, lon, lat, geometry,
    SUM(LENGTH(geometry)) OVER (ORDER BY geo_id ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING) AS characters
  FROM (
    SELECT geo_id, geo_name, lon, lat, geometry
    FROM (
      SELECT geo_id, geo_name, lon, lat, geometry
      FROM `mobility.geographies`
      WHERE country_code = @country_code AND geo_type = @geo_type
    )
    ORDER BY geo_id
    LIMIT @rows_max
  )
)
WHERE IFNULL(characters, 0) <= @characters_max
ORDER BY geo_id
