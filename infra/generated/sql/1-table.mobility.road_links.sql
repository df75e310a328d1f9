CREATE TABLE IF NOT EXISTS mobility.road_links (
  country_code STRING NOT NULL,
  link_id INT64 NOT NULL,
  name STRING NOT NULL,
  class STRING NOT NULL OPTIONS (description = 'Road class of OpenStreetMap, for example primary'),
  geometry GEOGRAPHY NOT NULL
)
CLUSTER BY country_code, geometry
OPTIONS (description = 'Road links, the geographies of Flow');
