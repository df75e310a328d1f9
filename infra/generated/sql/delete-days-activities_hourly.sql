-- @country_code STRING
-- @first_date DATE
-- @last_date DATE
-- @deletion STRING
BEGIN TRANSACTION;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT @country_code, table_name, batch_date, CAST(NULL AS TIMESTAMP), version + 1, 0, @deletion, CURRENT_TIMESTAMP()
FROM (
  SELECT table_name, batch_date, version, row_count
  FROM `intake.batches`
  WHERE table_name IN ('activities_hourly') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
)
WHERE row_count > 0;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, bytes, is_deleted, loaded_at)
SELECT @country_code, table_name, batch_date, CAST(NULL AS TIMESTAMP), version + 1, 0, 0, TRUE, CURRENT_TIMESTAMP()
FROM (
  SELECT table_name, batch_date, version, row_count, is_deleted
  FROM `mobility.batches`
  WHERE table_name IN ('activities_hourly') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
)
WHERE is_deleted IS NOT TRUE;

DELETE FROM `intake.activities_hourly` WHERE loaded_on > "1970-01-01" AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date;

DELETE FROM `mobility.activities_hourly` WHERE country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date;

INSERT INTO `intake.batches` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT @country_code, table_name, batch_date, CAST(NULL AS TIMESTAMP), version + 1, 0, @deletion, CURRENT_TIMESTAMP()
FROM (
  SELECT table_name, batch_date, version, row_count
  FROM `intake.batches`
  WHERE table_name IN ('activities_daily') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
)
WHERE row_count > 0;

INSERT INTO `mobility.batches` (country_code, table_name, batch_date, tick, version, row_count, bytes, is_deleted, loaded_at)
SELECT @country_code, table_name, batch_date, CAST(NULL AS TIMESTAMP), version + 1, 0, 0, TRUE, CURRENT_TIMESTAMP()
FROM (
  SELECT table_name, batch_date, version, row_count, is_deleted
  FROM `mobility.batches`
  WHERE table_name IN ('activities_daily') AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
)
WHERE is_deleted IS NOT TRUE;

DELETE FROM `intake.activities_daily` WHERE loaded_on > "1970-01-01" AND country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date;

DELETE FROM `mobility.activities_daily` WHERE country_code = @country_code AND batch_date BETWEEN @first_date AND @last_date;

COMMIT TRANSACTION
