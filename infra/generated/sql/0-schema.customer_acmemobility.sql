CREATE SCHEMA IF NOT EXISTS customer_acmemobility OPTIONS (location = 'europe-north1', description = 'Personal dataset');
