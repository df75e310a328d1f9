import type { Examples } from "../shared/openapi/operation.ts";

const MAP_ID = "yglEXBIE3GYCFNVEASMe";

/** The examples of headcounts, of the Data API. */
export const realtimeExamples: Examples = {
  "realtime-toggle": {
    bodies: { enable: { map_id: MAP_ID, enable: true }, disable: { map_id: MAP_ID, enable: false } },
    responses: {
      200: {
        enabled: { msg: "Realtime monitoring enabled", map_id: MAP_ID, is_monitored: true, bq_updated_rows: 1 },
        disabled: { msg: "Realtime monitoring disabled", map_id: MAP_ID, is_monitored: false, bq_updated_rows: 1 },
      },
    },
  },
  "realtime-data": {
    responses: {
      200: {
        headcounts: {
          rows: [
            {
              timestamp: "2026-11-22T17:40:00.000Z",
              target_id: MAP_ID,
              target_name: "Old town",
              result: "SUCCESS",
              subscriber_count: 1240,
            },
          ],
        },
      },
    },
  },
  "realtime-history": {
    query: { map_id: MAP_ID, start_time: "2026-11-22T00:00:00+02:00", end_time: "2026-11-23T00:00:00+02:00", limit: 2 },
    responses: {
      200: {
        history: {
          rows: [
            { timestamp: "2026-11-22T17:40:00.000Z", result: "SUCCESS", subscriber_count: 4657 },
            { timestamp: "2026-11-22T17:35:00.000Z", result: "SUCCESS", subscriber_count: 4702 },
          ],
          next_cursor: "MjAyNi0xMS0yMlQxNzozNTowMC4wMDBaIFNVQ0NFU1M",
        },
      },
    },
  },
};
