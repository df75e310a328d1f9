-- @cells ARRAY<INT64>
-- @country_code STRING
SELECT COUNT(*) AS cells
FROM UNNEST(@cells) AS touched
JOIN `mobility.coverage` AS network
  ON network.country_code = @country_code AND network.northing = MOD(touched, 10000000)
    AND touched BETWEEN network.first_cell_id AND network.last_cell_id
UNION ALL
SELECT COUNT(*) AS cells
FROM UNNEST(@cells) AS touched
JOIN `mobility.geography_cells` AS network
  ON network.country_code = @country_code AND network.geo_type = 'grid_250m' AND network.cell_id = touched
