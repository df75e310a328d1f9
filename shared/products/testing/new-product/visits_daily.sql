CREATE TABLE IF NOT EXISTS mobility.visits_daily (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = "The instant at which the civil day begins in the country's time zone"),
  visits INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves'),
  publishable BOOL NOT NULL OPTIONS (description = 'Decided once, when the batch was loaded'),
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone")
)
PARTITION BY batch_date
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (require_partition_filter = TRUE, description = 'Visits, one row a geography and day');
