CREATE TABLE IF NOT EXISTS mobility.activities_hourly (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = "Start of the UTC hour"),
  people INT64 NOT NULL OPTIONS (description = 'Unique people in the bucket, scaled to the population'),
  stays_count INT64 NOT NULL,
  stays_dwell_minutes INT64 NOT NULL,
  stays_devices INT64 NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone")
)
PARTITION BY batch_date
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (require_partition_filter = TRUE, description = 'Activities, one row a geography and bucket');
