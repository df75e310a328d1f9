CREATE SCHEMA IF NOT EXISTS realtime_eu OPTIONS (location = 'eu', description = 'A table of headcounts a customer, behind its listing in eu');
