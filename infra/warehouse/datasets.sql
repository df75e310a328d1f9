-- One dataset a purpose. `intake` holds what the provider delivers, for its loader alone; `mobility` what is published of it, the only facts that the
-- service and its customers read; `realtime` the published ticks and what the service computes; `staging` holds loads under way; the last two
-- hold what a customer's view reads, in a table a customer (`customer/`), so that no query tells by its bytes what others have.
CREATE SCHEMA IF NOT EXISTS intake OPTIONS (location = 'europe-north1', description = 'Raw counts as delivered; only the loader reads them');
CREATE SCHEMA IF NOT EXISTS mobility OPTIONS (location = 'europe-north1', description = 'Published facts and dimensions');
CREATE SCHEMA IF NOT EXISTS realtime OPTIONS (location = 'europe-north1', description = 'Published ticks, monitored maps and their headcounts');
CREATE SCHEMA IF NOT EXISTS staging OPTIONS (location = 'europe-north1', description = 'Loads under way, raw; tables expire after a day', default_table_expiration_days = 1);
CREATE SCHEMA IF NOT EXISTS realtime_customers OPTIONS (location = 'europe-north1', description = 'A table of headcounts a customer, behind its personal dataset');
CREATE SCHEMA IF NOT EXISTS realtime_eu OPTIONS (location = 'eu', description = 'A table of headcounts a customer, behind its listing in eu');
