-- Append-only: each change of what is measured adds one row, a new version; the newest version of a map is in force. No DML queue, no lock.
-- A standard map is its ids. A polygon is the cells of its geometry, which stand once in `realtime.map_cells`: a rename adds none. They are
-- appended first; a version that lacks some of its `cell_parts` has no headcount.
CREATE TABLE IF NOT EXISTS realtime.monitored_maps (
  map_id STRING NOT NULL,
  uid STRING NOT NULL,
  name STRING NOT NULL,
  version INT64 NOT NULL,
  is_monitored BOOL NOT NULL,
  country_code STRING OPTIONS (description = 'Of a standard map'),
  geo_type STRING OPTIONS (description = 'Of a standard map'),
  geo_ids ARRAY<INT64>,
  geometry_hash STRING OPTIONS (description = 'Of a polygon: its cells in map_cells'),
  cell_parts INT64 OPTIONS (description = 'Of a polygon: how many rows of map_cells are its cells; 0 when it lies in no country of the service'),
  appended_at TIMESTAMP NOT NULL
)
CLUSTER BY map_id
OPTIONS (description = 'What realtime measures, version by version');
