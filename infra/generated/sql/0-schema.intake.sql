-- One dataset a purpose. `intake` holds what the provider delivers, for its loader alone; `mobility` what is published of it, the only facts that the
-- service and its customers read; `realtime` the published ticks and what the service computes; `staging` holds loads under way; the last two
-- hold what a customer's view reads, in a table a customer (`customer/`), so that no query tells by its bytes what others have.
CREATE SCHEMA IF NOT EXISTS intake OPTIONS (location = 'europe-north1', description = 'Raw counts as delivered; only the loader reads them');
