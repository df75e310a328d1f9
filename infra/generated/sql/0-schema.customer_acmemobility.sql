-- Scenario B: what a customer without a cloud project queries in the provider's. Authorised on the dataset realtime; acmemobility is the customer's.
CREATE SCHEMA IF NOT EXISTS customer_acmemobility OPTIONS (location = 'europe-north1', description = 'Personal dataset');
