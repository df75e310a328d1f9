CREATE TABLE IF NOT EXISTS intake.nesting (
  country_code STRING NOT NULL,
  geo_type STRING NOT NULL,
  geo_id INT64 NOT NULL,
  level INT64 NOT NULL OPTIONS (description = 'From the finest: 0 grid_250m, 1 grid_1000m, 2 admin_level_4, 3 admin_level_2'),
  at_1 INT64 OPTIONS (description = 'The grid_1000m cell that the geography is, or that it is a part of'),
  at_2 INT64 OPTIONS (description = 'Likewise the admin_level_4 area'),
  at_3 INT64 OPTIONS (description = 'Likewise the admin_level_2 area'),
  parts INT64 NOT NULL OPTIONS (description = 'Direct parts in the geometry, inhabited or not')
)
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (description = 'Which geographies lie within which, made when geographies are loaded');
