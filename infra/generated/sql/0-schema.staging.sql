CREATE SCHEMA IF NOT EXISTS staging OPTIONS (location = 'europe-north1', description = 'Loads under way, raw; tables expire after a day', default_table_expiration_days = 1);
