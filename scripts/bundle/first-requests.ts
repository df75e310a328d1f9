import { Timestamp } from "@google-cloud/firestore";
import type * as v from "valibot";
import type { ApiKey } from "../../shared/accounts/api-keys.ts";
import { type Customer, DEFAULT_LIMITS } from "../../shared/accounts/customers.ts";
import type { StoredAccount } from "../../shared/accounts/machine-accounts.ts";
import type { StoredJob } from "../../shared/jobs/stored-job.ts";
import type { StoredMap } from "../../shared/maps/maps.ts";
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
  ...{ personalDataset: null, status: "active", allow: { scopes: [], profiles: ["warehouse"] } },
};
const TIME = Timestamp.fromMillis(0);
const ACCOUNT: v.InferInput<typeof StoredAccount> = {
  ...{ service: "storage", scopes: [], keyHash: "0".repeat(64), keyHint: "0000", createdAt: TIME, rotatedAt: TIME },
};
const MAP: v.InferInput<typeof StoredMap> = {
  ...{ uid: UID, owner: "all", name: "First", description: "", type: "custom_polygon", countryCode: null, isMonitored: false, version: 1 },
  ...{ geometry: "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.5, 24.7 59.4))", ids: null, createdAt: TIME },
};
const JOB: v.InferInput<typeof StoredJob> = {
  ...{
    uid: UID,
    keyLabel: "all",
    status: "completed",
    progress: 100,
    attempt: 1,
    step: 1,
    placed: false,
    dispatch: false,
    leftovers: false,
  },
  request: {
    ...{ agg_type: "activities", measure: "sum_unique_people", activity_type: "hourly", geo_type: "admin_level_2", geo_ids: null },
    ...{ country_code: "EST", start_time: "2026-11-01T00:00:00.000Z", end_time: "2026-11-02T00:00:00.000Z", full: true, format: "csv" },
  },
  result: {
    meta: { suppressed_rows: null, unknown_ids: [], k: 10, step: 10 },
    ...{ totalRows: 0, dataVersions: [{ batch_date: "2026-11-01", version: 1 }], preview: "[]" },
    files: [{ name: "000000000000.csv.gz", size: 0, crc32c: "AAAAAA==" }],
  },
  ...{ createdAt: TIME, startedAt: TIME, finishedAt: TIME, touchedAt: TIME, deadlineAt: null, expireAt: null, error: null },
};
/** What the functions find, by the collection that it is in. */
const DOCUMENTS = { apiKeys: KEY, customers: CUSTOMER, machineAccounts: ACCOUNT, maps: MAP, jobs: JOB };

/** The row that every query of a function finds. Those of other functions find none. */
const ROWS = new Map<string, Row>([
  ["aggregation-estimate", { geographies: 1 }],
  [
    "aggregation-preview",
    {
      ...{ total_rows: 1, unknown_ids: [], newest_date: "2026-11-01", data_versions: [{ batch_date: "2026-11-01", version: 1 }] },
      preview: JSON.stringify([{ c0: 10, c1: "2026-11-01T00:00:00.000Z", c2: 784, c3: "Tallinn", c4: "hourly" }]),
    },
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
  return JSON.stringify({ functions, documents: DOCUMENTS }, seconds, 1);
}

function seconds(_name: string, value: unknown): unknown {
  return value instanceof Timestamp ? { timestamp: value.seconds } : value;
}
