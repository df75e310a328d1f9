-- The cells of polygons, once for each geometry of a customer, at most 20,000 a row. The hash is of the customer, the geometry and the grids of
-- the customer's countries, so that customers share no row. A row that two deliveries appended at once counts once. Compaction removes, each
-- hour, what no version of a map refers to any more; a delivery relies on rows that are there only if they will stay for another hour.
CREATE TABLE IF NOT EXISTS realtime.map_cells (
  uid STRING NOT NULL,
  geometry_hash STRING NOT NULL,
  part INT64 NOT NULL OPTIONS (description = 'Counts the rows of a geometry, from 0'),
  parts INT64 NOT NULL OPTIONS (description = 'How many rows the geometry has'),
  country_code STRING NOT NULL,
  cells ARRAY<STRUCT<cell_id INT64, weight FLOAT64>> OPTIONS (description = '250 m cells and the share of each inside the polygon'),
  appended_at TIMESTAMP NOT NULL
)
CLUSTER BY uid, geometry_hash
OPTIONS (description = 'The cells of the polygons that realtime measures');
