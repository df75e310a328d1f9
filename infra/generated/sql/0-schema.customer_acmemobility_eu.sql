CREATE SCHEMA IF NOT EXISTS customer_acmemobility_eu OPTIONS (location = 'eu', description = "Shared through the customer's listing");
