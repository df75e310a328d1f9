-- As the provider delivered it. The partition is the day of the load, so that days of any age can be loaded and all leave 14 days after.
CREATE TABLE IF NOT EXISTS intake.odm_daily (
  country_code STRING NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  origin_geo_type STRING NOT NULL,
  origin_geo_id INT64 NOT NULL,
  destination_geo_type STRING NOT NULL,
  destination_geo_id INT64 NOT NULL,
  trips INT64 NOT NULL OPTIONS (description = 'Estimated trips, scaled to the population'),
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves'),
  average_speed_kmh FLOAT64,
  loaded_on DATE NOT NULL OPTIONS (description = 'UTC day of the load')
)
PARTITION BY loaded_on
CLUSTER BY country_code, batch_date
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 14, description = 'Raw rows of odm_daily, as loaded');
