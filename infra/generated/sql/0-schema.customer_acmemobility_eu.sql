-- Scenario A: what is behind a customer's listing in the data-sharing hub, in eu. Authorised on the dataset realtime_eu.
CREATE SCHEMA IF NOT EXISTS customer_acmemobility_eu OPTIONS (location = 'eu', description = "Shared through the customer's listing");
