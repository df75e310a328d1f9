import type { Examples } from "../shared/openapi/operation.ts";

const NIGHT = { start_time: "2026-11-18T00:00:00Z", end_time: "2026-11-18T03:00:00Z" };
const NIGHT_READ = { start_time: "2026-11-18T00:00:00.000Z", end_time: "2026-11-18T03:00:00.000Z" };
const FLOW = { agg_type: "flow", country_code: "EST", lat: 59.437, lon: 24.753 };
/** What an answer says that lacks nothing. */
const WHOLE = {
  truncated: false,
  meta: { suppressed_rows: null, unknown_ids: [], k: 5, step: 20 },
  data_versions: [{ batch_date: "2026-11-18", version: 1 }],
  warnings: [],
};

/** The examples of previews, one answer per product and form. */
export const previewExamples: Examples = {
  "aggregation-preview": {
    query: { agg_type: "flow", country_code: "EST", lat: 59.437, lon: 24.753, ...NIGHT },
    responses: {
      200: {
        flow: {
          ...FLOW,
          kind: "flow_rows",
          ...NIGHT_READ,
          link: {
            link_id: 1005,
            link_name: "Narva maantee",
            geometry: {
              type: "LineString",
              coordinates: [
                [24.75193, 59.43689],
                [24.75376, 59.43712],
              ],
            },
          },
          results: [
            {
              link_id: 1005,
              link_name: "Narva maantee",
              link_type: "primary",
              distance_m: 12.4,
              time_bucket: "2026-11-18T00:00:00.000Z",
              direction: 1,
              people: 40,
            },
          ],
          ...WHOLE,
        },
        activities: {
          agg_type: "activities",
          kind: "activities_rows",
          country_code: "EST",
          ...NIGHT_READ,
          results: [{ time_bucket: "2026-11-18T00:00:00.000Z", geo_id: 198, geo_name: "Tabasalu", type: "hourly", sum_unique_people: 80 }],
          ...WHOLE,
        },
        activities_by_column: {
          agg_type: "activities",
          kind: "activities_columns",
          country_code: "EST",
          ...NIGHT_READ,
          ...{ measure: "sum_unique_people", activity_type: "hourly", geo_type: "admin_level_2" },
          geo_ids: [198, 784],
          time_buckets: ["2026-11-18T00:00:00.000Z", "2026-11-18T01:00:00.000Z", "2026-11-18T02:00:00.000Z"],
          values: [
            [80, 10220],
            [null, 9880],
            [null, 9460],
          ],
          ...WHOLE,
        },
        odm: {
          ...{ agg_type: "odm", kind: "odm_rows", country_code: "EST" },
          ...{ start_time: "2026-11-17T22:00:00.000Z", end_time: "2026-11-18T22:00:00.000Z" },
          results: [
            {
              ...{ batch_date: "2026-11-18", origin_geo_id: 51520004123000, destination_geo_id: 51520004124000 },
              ...{ General_Distance: 998.6890563595529, trips: 4340 },
            },
          ],
          ...WHOLE,
        },
      },
    },
  },
};
