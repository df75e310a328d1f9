CREATE TABLE IF NOT EXISTS intake.visits_daily (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = "The instant at which the civil day begins in the country's time zone"),
  visits INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves'),
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  loaded_on DATE NOT NULL OPTIONS (description = 'UTC day of the load')
)
PARTITION BY loaded_on
CLUSTER BY country_code, batch_date
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 14, description = 'Raw rows of visits_daily, as loaded');

CREATE TABLE IF NOT EXISTS mobility.visits_daily (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = "The instant at which the civil day begins in the country's time zone"),
  visits INT64 NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone")
)
PARTITION BY batch_date
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (require_partition_filter = TRUE, description = 'Visits, one row a geography and day');
