-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_geographies (
  country_code STRING,
  geo_type STRING,
  geo_id INT64,
  geo_name STRING,
  parent_id INT64,
  lon FLOAT64,
  lat FLOAT64,
  geometry STRING
);
