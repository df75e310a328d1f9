CREATE TABLE IF NOT EXISTS mobility.schema_migrations (
  number INT64 NOT NULL OPTIONS (description = 'The number that its file begins with'),
  name STRING NOT NULL,
  checksum STRING NOT NULL OPTIONS (description = 'SHA-256 of its text'),
  applied_at TIMESTAMP NOT NULL
)
OPTIONS (description = 'Migrations of the tables that were applied (infra/warehouse/migrations)');
