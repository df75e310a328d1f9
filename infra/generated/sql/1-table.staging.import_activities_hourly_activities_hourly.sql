-- Not sent as it stands: a load makes such a table.
CREATE TABLE staging.import_activities_hourly_activities_hourly (
  country_code STRING,
  geo_type STRING,
  geo_id INT64,
  time_bucket TIMESTAMP,
  people INT64,
  stays_count INT64,
  stays_dwell_minutes INT64,
  stays_devices INT64,
  batch_date DATE,
  told INT64
);
