ALTER TABLE mobility.geographies
  ADD COLUMN IF NOT EXISTS west FLOAT64 OPTIONS (description = 'Extent of geometry, degrees; null without a geometry, and in rows that an earlier release loaded'),
  ADD COLUMN IF NOT EXISTS south FLOAT64,
  ADD COLUMN IF NOT EXISTS east FLOAT64,
  ADD COLUMN IF NOT EXISTS north FLOAT64;
