CREATE TABLE IF NOT EXISTS mobility.geography_cells (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  cell_id INT64 NOT NULL OPTIONS (description = 'Grid id of a 250 m cell'),
  weight FLOAT64 NOT NULL OPTIONS (description = 'Share of the cell inside the geography, (0, 1]')
)
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (description = 'The 250 m cells of each geography');
