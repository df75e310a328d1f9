CREATE TABLE IF NOT EXISTS mobility.odm_daily (
  country_code STRING NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  origin_geo_type STRING NOT NULL,
  origin_geo_id INT64 NOT NULL,
  destination_geo_type STRING NOT NULL,
  destination_geo_id INT64 NOT NULL,
  trips INT64 NOT NULL OPTIONS (description = 'Estimated trips, scaled to the population'),
  general_distance_m FLOAT64 OPTIONS (description = 'Straight-line distance of the two centroids, metres: a constant of the geometry'),
  average_speed_kmh FLOAT64
)
PARTITION BY batch_date
CLUSTER BY country_code, origin_geo_type, origin_geo_id, destination_geo_id
OPTIONS (require_partition_filter = TRUE, description = 'Origin-destination matrix, one row a pair and day');
