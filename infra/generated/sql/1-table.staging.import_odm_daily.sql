-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_odm_daily (
  country_code STRING,
  batch_date DATE,
  origin_geo_type STRING,
  origin_geo_id INT64,
  destination_geo_type STRING,
  destination_geo_id INT64,
  trips INT64,
  devices INT64,
  average_speed_kmh FLOAT64
);
