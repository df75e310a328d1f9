-- A country with the strict profile publishes rows of all links of a road class, others of single links.
CREATE TABLE IF NOT EXISTS mobility.flows_hourly (
  country_code STRING NOT NULL,
  link_id INT64 NOT NULL OPTIONS (description = '0 in a row of a road class'),
  time_bucket TIMESTAMP NOT NULL OPTIONS (description = 'Start of the UTC hour'),
  direction INT64 NOT NULL OPTIONS (description = '-1 or 1: against or along the link; 0 in a row of a road class'),
  people INT64 NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  road_class STRING OPTIONS (description = 'Of OpenStreetMap, in a row of all its links; empty in a row of one link')
)
PARTITION BY batch_date
CLUSTER BY country_code, link_id
OPTIONS (require_partition_filter = TRUE, description = 'Flow, one row a link, hour and direction');
