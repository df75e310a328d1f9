CREATE SCHEMA IF NOT EXISTS realtime OPTIONS (location = 'europe-north1', description = 'Published ticks, monitored maps and their headcounts');
