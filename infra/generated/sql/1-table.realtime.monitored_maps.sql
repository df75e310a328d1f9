-- Append-only: each change of what is measured adds the rows of a new version; the newest version of a map is in force. No DML queue, no lock.
-- A polygon is its cells, at most 20,000 a row; a standard map is its ids. `part` counts the rows of a version: part 0 is appended last, and a
-- version without it is not in force, so that nobody reads half a map.
CREATE TABLE IF NOT EXISTS realtime.monitored_maps (
  map_id STRING NOT NULL,
  uid STRING NOT NULL,
  name STRING NOT NULL,
  version INT64 NOT NULL,
  part INT64 NOT NULL,
  is_monitored BOOL NOT NULL,
  country_code STRING OPTIONS (description = 'Null when the polygon lies in no country of the service'),
  geo_type STRING OPTIONS (description = 'Of a standard map'),
  geo_ids ARRAY<INT64>,
  cells ARRAY<STRUCT<cell_id INT64, weight FLOAT64>> OPTIONS (description = 'Of a polygon: 250 m cells and the share of each inside it'),
  appended_at TIMESTAMP NOT NULL
)
CLUSTER BY map_id
OPTIONS (description = 'What realtime measures, version by version');
