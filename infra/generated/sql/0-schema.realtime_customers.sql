CREATE SCHEMA IF NOT EXISTS realtime_customers OPTIONS (location = 'europe-north1', description = 'A table of headcounts a customer, behind its personal dataset');
