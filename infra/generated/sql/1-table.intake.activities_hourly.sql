-- As the provider delivered it. The partition is the day of the load, so that days of any age can be loaded and all leave 14 days after.
CREATE TABLE IF NOT EXISTS intake.activities_hourly (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = "Start of the UTC hour"),
  people INT64 NOT NULL OPTIONS (description = 'Unique people in the bucket, scaled to the population'),
  stays_count INT64 NOT NULL,
  stays_dwell_minutes INT64 NOT NULL,
  stays_devices INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves'),
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  loaded_on DATE NOT NULL OPTIONS (description = 'UTC day of the load')
)
PARTITION BY loaded_on
CLUSTER BY country_code, batch_date
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 14, description = 'Raw rows of activities_hourly, as loaded');
