-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_coverage (
  country_code STRING,
  northing INT64,
  first_cell_id INT64,
  last_cell_id INT64
);
