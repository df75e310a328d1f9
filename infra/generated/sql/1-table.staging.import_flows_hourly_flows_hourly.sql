-- Not sent as it stands: a load makes such a table.
CREATE TABLE staging.import_flows_hourly_flows_hourly (
  country_code STRING,
  link_id INT64,
  time_bucket TIMESTAMP,
  direction INT64,
  people INT64,
  batch_date DATE,
  road_class STRING
);
