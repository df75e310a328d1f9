-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_flows_hourly (
  country_code STRING,
  link_id INT64,
  time_bucket TIMESTAMP,
  direction INT64,
  people INT64,
  devices INT64,
  batch_date DATE
);
