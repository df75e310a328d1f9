import type * as v from "valibot";
import type { ApiKey } from "../../shared/accounts/api-keys.ts";
import { type Customer, DEFAULT_LIMITS } from "../../shared/accounts/customers.ts";
import { queryAnswer, type Row } from "./query-answer.ts";
import { requestOf } from "./sample-requests.ts";

/** The file of the image that `firstRequests` returns the content of. */
export const FIRST_REQUESTS_FILE = "first-requests.json";

const UID = "aaaaaaaaaaaa";
const COUNTRIES = { countries: ["EST"], defaultCountry: "EST" };
const KEY: v.InferInput<typeof ApiKey> = {
  ...{ uid: UID, keyLabel: "all", ...COUNTRIES },
  ...{ service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true },
};
const CUSTOMER: v.InferInput<typeof Customer> = {
  ...{ name: "First", ...COUNTRIES, limits: DEFAULT_LIMITS, running: 0, waiting: 0 },
  ...{ personalDataset: null, status: "active" },
};

/** The row that every query of a function finds. Those of other functions find none. */
const ROWS = new Map<string, Row>([
  ["aggregation-estimate", { geographies: 1 }],
  [
    "aggregation-preview",
    { total_rows: 0, unknown_ids: [], newest_date: "2026-11-01", data_versions: [{ batch_date: "2026-11-01", version: 1 }], preview: [] },
  ],
  [
    "availability-list",
    {
      ...{
        country_code: "EST",
        table_name: "activities_hourly",
        batch_date: "2026-11-01",
        published_rows: 1,
        loaded_at: "2026-11-02T03:00:00Z",
      },
      geo_types: JSON.stringify([
        { geo_type: "admin_level_2", destination_geo_type: null, published_rows: 1, withheld_people_percent: null },
      ]),
    },
  ],
  ["geographies-find", { geo_id: 784, geo_name: "Tallinn", lon: 24, lat: 59, geometry: "POINT(24 59)" }],
]);

/**
 * Returns, as JSON, what the build of the image asks each function once (scripts/image/fill-code-cache.cjs), and the documents that the function
 * finds meanwhile, by the collection that they are in, and BigQuery's answer. So the code cache also has what runs after a key is found.
 */
export function firstRequests(names: readonly string[]): string {
  const functions = names.map((name) => {
    const row = ROWS.get(name);
    return { name, ...requestOf(name, UID), ...(row ? { answer: queryAnswer(row) } : {}) };
  });
  return JSON.stringify({ functions, documents: { apiKeys: KEY, customers: CUSTOMER } }, undefined, 1);
}
