CREATE SCHEMA IF NOT EXISTS realtime OPTIONS (location = 'europe-north1', description = 'Monitored maps and their headcounts');
