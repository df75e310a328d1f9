-- One dataset a purpose. `intake` holds what the provider delivers, for its loader alone; `mobility` what is published of it, the only facts that the
-- service and its customers read; `realtime` the published ticks and what the service computes; `staging` holds loads under way.
CREATE SCHEMA IF NOT EXISTS intake OPTIONS (location = 'europe-north1', description = 'Raw counts as delivered; only the loader reads them');
