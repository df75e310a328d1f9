-- One dataset a purpose. `mobility` is what the provider's pipeline loads; `realtime` what the service computes; `staging` holds loads under way.
CREATE SCHEMA IF NOT EXISTS mobility OPTIONS (location = 'europe-north1', description = 'Facts and dimensions loaded by the provider');
CREATE SCHEMA IF NOT EXISTS realtime OPTIONS (location = 'europe-north1', description = 'Monitored maps and their headcounts');
CREATE SCHEMA IF NOT EXISTS staging OPTIONS (location = 'europe-north1', description = 'Loads under way; tables expire after a day', default_table_expiration_days = 1);
CREATE SCHEMA IF NOT EXISTS realtime_eu OPTIONS (location = 'eu', description = 'Copy of the headcounts for linked datasets in eu');
