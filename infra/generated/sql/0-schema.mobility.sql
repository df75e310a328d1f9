CREATE SCHEMA IF NOT EXISTS mobility OPTIONS (location = 'europe-north1', description = 'Published facts and dimensions');
