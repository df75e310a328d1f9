import type { Edit } from "./overlay.ts";

/** A new column with a measure. The table exists already, so the column is nullable. */
export const COLUMN: readonly Edit[] = [
  {
    file: "shared/products/activities.ts",
    from: '  stays_devices: { type: "INT64", rule: "devices" },',
    to: '  stays_devices: { type: "INT64", rule: "devices" },\n  stays_abroad: { type: "INT64", rule: "additive", nullable: true },',
  },
  {
    file: "shared/products/activities.ts",
    from: '  stays_devices: { column: "stays_devices" },',
    to: '  stays_devices: { column: "stays_devices" },\n  stays_abroad: { column: "stays_abroad" },',
  },
  // Raw and published.
  ...["activities_daily", "activities_hourly"].flatMap((table) =>
    ["  devices INT64 NOT NULL", '  batch_date DATE NOT NULL OPTIONS (description = "Civil day in the country\'s time zone")\n)'].map(
      (from) => ({
        file: `infra/warehouse/${table}.sql`,
        from,
        to: `  stays_abroad INT64,\n${from}`,
      }),
    ),
  ),
];
