CREATE SCHEMA IF NOT EXISTS realtime_eu OPTIONS (location = 'eu', description = 'Copy of the headcounts for linked datasets in eu');
