-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_geography_cells (
  country_code STRING,
  geo_type STRING,
  geo_id INT64,
  cell_id INT64,
  weight FLOAT64
);
