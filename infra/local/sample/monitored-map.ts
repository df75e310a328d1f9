/** The map that the first sample customer monitors from the start, in Estonia. */
export const MONITORED_MAP = {
  name: "Old town and harbour",
  description: "Tallinn: measured for eight weeks when the sample is made",
  type: "custom_polygon",
  geometry: "POLYGON((24.735 59.432, 24.756 59.432, 24.762 59.442, 24.74 59.446, 24.735 59.432))",
} as const;
