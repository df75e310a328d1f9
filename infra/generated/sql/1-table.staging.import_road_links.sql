-- Not sent as it stands: a load job makes such a table from a file.
CREATE TABLE staging.import_road_links (
  country_code STRING,
  link_id INT64,
  name STRING,
  class STRING,
  geometry STRING
);
