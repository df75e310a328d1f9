import type { CountryRules } from "../countries/country-rules.ts";
import type { OdmRequest } from "../jobs/job-fields.ts";
import type { Column, ProductQuery } from "./statements.ts";
import { civilDays } from "./time-window.ts";

/** Columns that the specification names otherwise than the table does. */
const SOURCES: Readonly<Record<string, string>> = {
  General_Distance: "general_distance_m AS General_Distance",
  Average_Speed: "average_speed_kmh AS Average_Speed",
};

/** The Origin-Destination Matrix: one row a pair and civil day that overlaps the window, whatever `activity_type` is. */
export function odmQuery(request: OdmRequest, rules: CountryRules): ProductQuery {
  const { first, last } = civilDays({ start: new Date(request.start_time), end: new Date(request.end_time) }, rules.timeZone);
  const { origin_geo_ids, destination_geo_ids } = request;
  const distance = rules.odm !== undefined && rules.odm.distance !== "none";
  const speed = rules.odm?.speed === true;
  const columns: Column[] = [
    { name: "batch_date", type: "DATE" },
    { name: "origin_geo_id", type: "INT64" },
    { name: "destination_geo_id", type: "INT64" },
    ...(distance ? [{ name: "General_Distance", type: "FLOAT64" } as const] : []),
    ...(speed ? [{ name: "Average_Speed", type: "FLOAT64" } as const] : []),
    { name: "trips", type: "INT64" },
  ];
  return {
    table: "odm_daily",
    ctes: `result_rows AS (
  SELECT ${columns.map(({ name }) => SOURCES[name] ?? name).join(", ")}, publishable
  FROM \`mobility.odm_daily\`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND origin_geo_type = @origin_geo_type AND destination_geo_type = @destination_geo_type${
      origin_geo_ids ? "\n    AND origin_geo_id IN UNNEST(@origin_geo_ids)" : ""
    }${destination_geo_ids ? "\n    AND destination_geo_id IN UNNEST(@destination_geo_ids)" : ""}
)`,
    columns,
    order: ["batch_date", "origin_geo_id", "destination_geo_id"],
    ids: [
      ...(origin_geo_ids ? [{ parameter: "origin_geo_ids", typeParameter: "origin_geo_type" }] : []),
      ...(destination_geo_ids ? [{ parameter: "destination_geo_ids", typeParameter: "destination_geo_type" }] : []),
    ],
    parameters: {
      country_code: { type: "STRING", value: request.country_code },
      origin_geo_type: { type: "STRING", value: request.origin_geo_type },
      destination_geo_type: { type: "STRING", value: request.destination_geo_type },
      ...(origin_geo_ids ? { origin_geo_ids: { type: "ARRAY<INT64>", value: origin_geo_ids } } : {}),
      ...(destination_geo_ids ? { destination_geo_ids: { type: "ARRAY<INT64>", value: destination_geo_ids } } : {}),
      first_date: { type: "DATE", value: first },
      last_date: { type: "DATE", value: last },
    },
  };
}
