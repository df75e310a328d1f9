CREATE TABLE IF NOT EXISTS mobility.geographies (
  country_code STRING NOT NULL OPTIONS (description = 'ISO 3166-1 alpha-3'),
  geo_type STRING NOT NULL OPTIONS (description = 'grid_250m, grid_1000m, admin_level_2, admin_level_4 or osm_links'),
  geo_id INT64 NOT NULL OPTIONS (description = 'Grid id (south-west corner), national code or link id'),
  geo_name STRING NOT NULL,
  parent_id INT64 OPTIONS (description = 'The admin_level_4 area of a cell, the admin_level_2 area of an admin_level_4 area'),
  lon FLOAT64 NOT NULL OPTIONS (description = 'Centroid, degrees'),
  lat FLOAT64 NOT NULL OPTIONS (description = 'Centroid, degrees'),
  geometry STRING OPTIONS (description = 'WKT; edges are straight lines in longitude and latitude, so not GEOGRAPHY'),
  west FLOAT64 OPTIONS (description = 'Extent of geometry, degrees; null without a geometry, and in rows that an earlier release loaded'),
  south FLOAT64,
  east FLOAT64,
  north FLOAT64
)
CLUSTER BY country_code, geo_type, geo_id
OPTIONS (description = 'Every geography that a product can be asked for');
