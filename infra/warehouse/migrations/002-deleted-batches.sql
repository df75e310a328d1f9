ALTER TABLE mobility.batches
  ADD COLUMN IF NOT EXISTS is_deleted BOOL OPTIONS (description = 'Whether this version is a deletion: the batch has no data until it is loaded again');
