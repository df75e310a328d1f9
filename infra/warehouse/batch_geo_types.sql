CREATE TABLE IF NOT EXISTS mobility.batch_geo_types (
  country_code STRING NOT NULL,
  table_name STRING NOT NULL,
  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country's time zone"),
  version INT64 NOT NULL OPTIONS (description = 'The version of the batch in mobility.batches'),
  geo_type STRING NOT NULL OPTIONS (description = 'Of the geography, or of the origin'),
  destination_geo_type STRING OPTIONS (description = 'Of the destination; null for rows of one geography'),
  published_rows INT64 NOT NULL,
  withheld_people_percent INT64 OPTIONS (description = 'The share of people in withheld rows, whole percent; null where fewer than 50 geographies are absent, or a percent is fewer people than k devices stand for')
)
CLUSTER BY country_code, table_name, batch_date
OPTIONS (description = 'What of each geography type is published of a version');
