-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_presence (
  tick TIMESTAMP,
  country_code STRING,
  cell_id INT64,
  people INT64,
  devices INT64
);
