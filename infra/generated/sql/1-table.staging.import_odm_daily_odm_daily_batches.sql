-- Not sent as it stands: a load makes such a table.
CREATE TABLE staging.import_odm_daily_odm_daily_batches (
  country_code STRING,
  batch_date DATE
);
