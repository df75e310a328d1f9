-- As the provider delivered it. The partition is the day of the load, so that days of any age can be loaded and all leave 14 days after.
CREATE TABLE IF NOT EXISTS intake.flows_hourly (
  country_code STRING NOT NULL,
  link_id INT64 NOT NULL,
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = 'Start of the UTC hour'),
  direction INT64 NOT NULL OPTIONS (description = '-1 or 1: against or along the link'),
  people INT64 NOT NULL,
  devices INT64 NOT NULL OPTIONS (description = 'Raw devices behind the row, before any scaling; never leaves'),
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  loaded_on DATE NOT NULL OPTIONS (description = 'UTC day of the load')
)
PARTITION BY loaded_on
CLUSTER BY country_code, batch_date
OPTIONS (require_partition_filter = TRUE, partition_expiration_days = 14, description = 'Raw rows of flows_hourly, as loaded');
