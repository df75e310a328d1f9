-- One dataset a purpose. `mobility` is what the provider's pipeline loads; `realtime` what the service computes; `staging` holds loads under way.
CREATE SCHEMA IF NOT EXISTS mobility OPTIONS (location = 'europe-north1', description = 'Facts and dimensions loaded by the provider');
