-- Not sent as it stands: a load makes such a table.
CREATE TABLE staging.import_flows_hourly_flows_hourly_batches (
  country_code STRING,
  batch_date DATE
);
