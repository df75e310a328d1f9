import type { Examples } from "../shared/openapi/operation.ts";
import { previewExamples } from "./examples-previews.ts";
import { realtimeExamples } from "./examples-realtime.ts";

const UID = "b3z77hs77sb2";
const JOB_ID = "12fea456-db2d-4b15-9ce2-866394a03f6d";
const EXPORT_ID = "d72229f6-82ac-4cff-b5c6-362284bb194b";
const FOLDER = `local-exports/results/${UID}/${EXPORT_ID}/odm_daily_trips`;
const FILE = { name: "part-1-000000000000.csv.gz", size: 31938, crc32c: "JQpWMg==" };
const SIGNED = `https://storage.googleapis.com/${FOLDER}/${FILE.name}?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Expires=900&X-Goog-Signature=5c1f09ab`;
const META = { suppressed_rows: null, unknown_ids: [], k: 5, step: 20 };
const DATA_VERSIONS = [{ batch_date: "2026-11-18", version: 1 }];

const NIGHT = { start_time: "2026-11-18T00:00:00Z", end_time: "2026-11-18T03:00:00Z" };
const DAY = { start_time: "2026-11-18T00:00:00+02:00", end_time: "2026-11-19T00:00:00+02:00" };
const ACTIVITIES = {
  agg_type: "activities",
  country_code: "EST",
  measure: "sum_unique_people",
  activity_type: "daily",
  geo_type: "admin_level_2",
};
const GRID = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
const FLOW = { agg_type: "flow", country_code: "EST", lat: 59.437, lon: 24.753 };
const JOBS = {
  activities: { ...ACTIVITIES, geo_ids: [198], ...DAY },
  odm: { agg_type: "odm", country_code: "EST", measure: "trips", ...GRID, ...DAY, full: true },
  flow: { ...FLOW, ...NIGHT },
};

const RUN = {
  job_id: JOB_ID,
  created_at: "2026-11-22T17:43:41.323Z",
  started_at: "2026-11-22T17:43:42.958Z",
  finished_at: "2026-11-22T17:43:43.373Z",
  estimated_completion: null,
  error: null,
  warnings: [],
};
const COMPLETED = { ...RUN, status: "completed", progress: 100 };
const REQUEST = {
  ...ACTIVITIES,
  ...{ start_time: "2026-11-17T22:00:00.000Z", end_time: "2026-11-18T22:00:00.000Z", full: false, format: "csv", geo_ids: [198] },
};
const ROW = { time_bucket: "2026-11-17T22:00:00.000Z", geo_id: 198, geo_name: "Tabasalu", type: "daily", sum_unique_people: 1220 };
const RESULTS = { status: "completed", country_code: "EST", meta: META, data_versions: DATA_VERSIONS, warnings: [], superseded: false };

const AREA = { country_code: "EST", geo_type: "admin_level_2", geo_id: 198, geo_name: "Tabasalu", lon: 24.60337813, lat: 59.4237477 };
const CURSOR = "AAAAAAAAAMbPK6NiD7sXTA";

/** The examples of the Data API. */
export const dataExamples: Examples = {
  ...previewExamples,
  ...realtimeExamples,
  "aggregation-submit": {
    bodies: JOBS,
    responses: {
      202: {
        submitted: {
          job_id: JOB_ID,
          status: "queued",
          status_url: `/data-agg/status/${JOB_ID}`,
          results_url: `/data-agg/results/${JOB_ID}`,
        },
      },
    },
  },
  "aggregation-estimate": {
    bodies: JOBS,
    responses: {
      200: {
        estimate: { estimated_bytes_max: 853269, estimated_rows_max: 4, estimated_cost_max: { amount: 0.000184, currency: "USD" } },
      },
    },
  },
  "aggregation-status": {
    path: { job_id: JOB_ID },
    query: { include: "request" },
    responses: {
      200: {
        completed: { ...COMPLETED, request: REQUEST },
        queued: { ...RUN, status: "queued", progress: 0, started_at: null, finished_at: null },
      },
    },
  },
  "aggregation-results": {
    path: { job_id: JOB_ID },
    responses: {
      200: {
        preview: { ...RESULTS, job_id: JOB_ID, kind: "activities_rows", preview: [ROW], total_rows: 1 },
        export: {
          ...RESULTS,
          job_id: EXPORT_ID,
          kind: "export",
          http_path: `https://console.cloud.google.com/storage/browser/${FOLDER}`,
          gs_uri: `gs://${FOLDER}/`,
          files: [FILE],
          total_rows: 3091,
        },
      },
      202: { running: { job_id: JOB_ID, kind: "pending", status: "running", progress: 40 } },
    },
  },
  "aggregation-urls": {
    path: { job_id: EXPORT_ID },
    bodies: { all: { expires_in: 900 }, some: { files: [FILE.name] } },
    responses: { 200: { urls: { urls: [{ ...FILE, url: SIGNED, expires_at: "2026-11-22T17:58:43.000Z" }], next_cursor: null } } },
  },
  "aggregation-jobs": {
    query: { status: "completed", limit: 1 },
    responses: {
      200: {
        jobs: {
          jobs: [{ ...COMPLETED, agg_type: "activities", country_code: "EST", full: false, submitted_by: "storage" }],
          next_cursor: null,
        },
      },
    },
  },
  "aggregation-cancel": {
    path: { job_id: JOB_ID },
    responses: { 200: { cancelled: { ...RUN, status: "cancelled", progress: 40 } } },
  },
  "availability-list": {
    query: { country_code: "EST", dataset: "flows", start_time: "2026-11-08", end_time: "2026-11-08" },
    responses: {
      200: {
        days: {
          country_code: "EST",
          first_date: "2026-11-08",
          last_date: "2026-11-08",
          results: [
            {
              country_code: "EST",
              dataset: "flows",
              table_name: "flows_hourly",
              batch_date: "2026-11-08",
              total_rows: 11332,
              geo_types: [{ geo_type: "osm_links", published_rows: 11332, withheld_people_percent: 1 }],
              last_modified_time: "2026-11-09T01:00:00.000Z",
            },
          ],
        },
      },
    },
  },
  "countries-list": {
    responses: {
      200: {
        countries: {
          countries: [
            {
              ...{ country_code: "EST", name: "Estonia", aliases: ["EE"], time_zone: "Europe/Tallinn", k: 5, step: 20 },
              profile: "standard",
              window_days_max: 400,
              extent: [21.5, 57.4, 28.3, 59.9],
              products: [
                { agg_type: "odm", geo_types: ["grid_1000m"], hourly_geo_types: [], measures: [], activity_types: [], mixed: false },
              ],
            },
          ],
        },
      },
    },
  },
  "geographies-find": {
    query: { country_code: "EST", geo_type: "admin_level_2", bbox: "24.5,59.3,24.8,59.5", limit: 1 },
    responses: {
      200: {
        list: { geographies: [{ ...AREA, geometry: "POLYGON((24.57 59.38, 24.6 59.38, 24.64 59.47, 24.57 59.38))" }], next_cursor: CURSOR },
        geojson: {
          type: "FeatureCollection",
          features: [
            {
              type: "Feature",
              id: 198,
              properties: AREA,
              geometry: {
                type: "Polygon",
                coordinates: [
                  [
                    [24.57, 59.38],
                    [24.6, 59.38],
                    [24.64, 59.47],
                    [24.57, 59.38],
                  ],
                ],
              },
            },
          ],
          next_cursor: CURSOR,
        },
      },
    },
  },
  "docs-openapi-data": { responses: { 200: { document: { openapi: "3.1.1", info: { title: "Populus Data API", version: "0.1.0" } } } } },
  "docs-page-data": { responses: { 200: { page: "<!doctype html>" } } },
};
