-- Not sent as it stands: a load makes such a table.
CREATE TABLE staging.import_odm_daily_odm_daily (
  country_code STRING,
  batch_date DATE,
  origin_geo_type STRING,
  origin_geo_id INT64,
  destination_geo_type STRING,
  destination_geo_id INT64,
  trips INT64,
  general_distance_m FLOAT64,
  average_speed_kmh FLOAT64
);
