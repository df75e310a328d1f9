ALTER TABLE intake.activities_daily ADD COLUMN IF NOT EXISTS stays_abroad INT64;
ALTER TABLE intake.activities_hourly ADD COLUMN IF NOT EXISTS stays_abroad INT64;
ALTER TABLE mobility.activities_daily ADD COLUMN IF NOT EXISTS stays_abroad INT64;
ALTER TABLE mobility.activities_hourly ADD COLUMN IF NOT EXISTS stays_abroad INT64;
