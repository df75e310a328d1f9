import { dayBefore, type Knowledge } from "./words.ts";

/** The members of a request by location. */
export interface Members {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Returns requests of an operation that will be accepted: a document cannot express which values are valid together. */
export function knownGood(operationId: string, knowledge: Knowledge): readonly Members[] {
  const { geoIds } = knowledge;
  const [start_time, end_time] = [dayBefore(knowledge, 5), dayBefore(knowledge, 4)];
  const window = { start_time, end_time };
  const municipalities = geoIds.admin_level_2?.slice(0, 4) ?? [];
  const cells = geoIds.grid_1000m?.slice(0, 8) ?? [];
  const activities = {
    agg_type: "activities",
    measure: "sum_unique_people",
    activity_type: "hourly",
    geo_type: "admin_level_2",
    ...window,
  };
  const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
  const flow = { agg_type: "flow", country_code: "EST", lat: 59.437, lon: 24.753, ...window };
  const jobs = [
    { ...activities, geo_ids: municipalities },
    { ...activities, activity_type: "daily", measure: "max_unique_people", full: "true", format: "json" },
    {
      agg_type: "odm",
      measure: "trips",
      ...types,
      origin_geo_ids: cells,
      ...window,
    },
    { ...flow, format: "parquet", full: true },
  ].map((body) => ({ body }));
  const good: Readonly<Record<string, readonly Members[]>> = {
    "aggregation-submit": jobs,
    "aggregation-estimate": jobs,
    "aggregation-preview": [
      { query: { ...activities, geo_ids: municipalities.join(",") } },
      { query: { ...activities, bbox: "24.6,59.35,24.9,59.5", format: "columns" } },
      { query: { agg_type: "odm", ...types, origin_geo_ids: String(cells[0]), ...window } },
      { query: { agg_type: "odm", ...types, destination_geo_ids: String(cells[1]), ...window } },
      { query: { ...flow, lat: "59.437", lon: "24.753" } },
      { query: { agg_type: "flow", lat: "58.38", lon: "26.72", datetime_from: start_time } },
    ],
    // Accepted if that job is an export and has completed by now.
    "aggregation-urls": [0, 1, 2, 3].map((job) => ({ path: { job_id: `~job.${job}~` }, body: { expires_in: 60 } })),
    "geographies-find": [
      { query: { geo_type: "admin_level_2", format: "geojson", limit: "2" } },
      { query: { geo_type: "grid_1000m", bbox: "24,59,25,60" } },
      { query: { geo_type: "osm_links", bbox: "24.7,59.42,24.8,59.45", limit: "3" } },
    ],
    "maps-create": [
      { body: { name: "Square", type: "custom_polygon", geometry: "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.43))" } },
      { body: { name: "Towns", description: "x", type: "admin_level_2", ids: municipalities, country_code: "EE" } },
    ],
    "maps-check": [
      { body: { type: "custom_polygon", geometry: "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.43))" } },
      { body: { type: "admin_level_2", ids: municipalities, country_code: "EE" } },
    ],
    "maps-list": [{ query: {} }, { query: { fields: "name,type,is_monitored", limit: "2" } }],
    "maps-show": [{ path: { id: "~map.0~" } }],
    "machine-accounts-change": [{ path: { uid: "~uid~", keyLabel: "fuzz-admin" }, body: { scopes: ["realtime"], service: "warehouse" } }],
    "customers-request-dataset": [{ path: { uid: "~uid~" } }],
    "customers-show-dataset": [{ path: { uid: "~uid~" } }],
    "maps-update": [
      { path: { id: "~map.0~" }, body: { name: "Renamed", owner: "fuzz-admin@~uid~", id: "~map.0~" } },
      // Without an ETag, which is likely to be another one's.
      ...[0, 1, 2].map((map) => ({ path: { id: `~map.${map}~` }, header: {}, body: { description: "Other" } })),
    ],
    "realtime-history": [{ query: { map_id: "~map.0~", ...window } }, { query: { map_id: "~map.1~", ...window, limit: "10000" } }],
    "realtime-toggle": [{ body: { map_id: "~map.0~", enable: true } }, { body: { map_id: "~map.1~", enable: false } }],
  };
  return good[operationId] ?? [];
}
