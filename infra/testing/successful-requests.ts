import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { sampleMembers } from "../../scripts/bundle/sample-requests.ts";
import type { Endpoint } from "../../shared/http/define-endpoint.ts";

/** A customer of a test's own, whose key may do everything and whose jobs wait for a slot. */
interface Own {
  readonly uid: string;
  readonly key: string;
  /** A client of the store itself. */
  readonly db: Firestore;
  /** Sends a request to the service. */
  readonly call: (api: "users" | "data", method: string, path: string, sent: { key: string; body: object }) => Promise<{ body: unknown }>;
}

interface Members {
  readonly params?: Record<string, string>;
  readonly query?: string;
  readonly body?: object;
}

const Created = v.object({ id: v.optional(v.string()), job_id: v.optional(v.string()) });
const polygon = { type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))" };
const map = { name: "A map", ...polygon };
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const job = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };

async function created(kind: "map" | "job", { key, call }: Own): Promise<string> {
  const isMap = kind === "map";
  const { body } = await call(isMap ? "users" : "data", "POST", isMap ? "/admin/maps" : "/data-agg", { key, body: isMap ? map : job });
  const { id, job_id } = v.parse(Created, body);
  return id ?? job_id ?? "";
}

const ofMap = async (own: Own) => ({ params: { id: await created("map", own) } });
const ofJob = async (own: Own) => ({ params: { job_id: await created("job", own) } });
const ofExport = async (own: Own) => {
  const job_id = await created("job", own);
  const result = {
    meta: { suppressed_rows: null, unknown_ids: [], k: 5, step: 20 },
    totalRows: 0,
    dataVersions: [],
    preview: null,
    files: [],
  };
  await own.db.collection("jobs").doc(job_id).update({ status: "completed", result });
  return { params: { job_id } };
};
const ofOtherLabel = async ({ uid, key, call }: Own) => {
  await call("users", "POST", `/users/${uid}/machine-accounts`, { key, body: { keyLabel: "other" } });
  return { params: { uid, keyLabel: "other" } };
};
const ofCustomer = async ({ uid }: Own) => ({ params: { uid } });

/** The requests for which arbitrary members are not enough. */
const REQUESTS: Readonly<Record<string, (own: Own) => Promise<Members>>> = {
  "machine-accounts-list": ofCustomer,
  "machine-accounts-create": async (own) => ({ ...(await ofCustomer(own)), body: { keyLabel: "other" } }),
  "machine-accounts-change": async ({ uid }) => ({ params: { uid, keyLabel: "admin" }, body: { scopes: [] } }),
  "machine-accounts-remove": ofOtherLabel,
  "customers-request-dataset": ofCustomer,
  "maps-show": ofMap,
  "maps-check": async () => ({ body: polygon }),
  "maps-create": async () => ({ body: map }),
  "maps-update": async (own) => ({ ...(await ofMap(own)), body: { name: "Another" } }),
  "maps-delete": ofMap,
  "realtime-toggle": async (own) => ({ body: { map_id: await created("map", own), enable: true } }),
  "realtime-history": async (own) => ({ query: `?${new URLSearchParams({ map_id: await created("map", own), ...window })}` }),
  "aggregation-preview": async () => ({ query: `?${new URLSearchParams({ ...job, geo_ids: "784" })}` }),
  "aggregation-submit": async () => ({ body: job }),
  "aggregation-status": ofJob,
  "aggregation-results": ofJob,
  "aggregation-urls": ofExport,
  "aggregation-jobs": ofJob,
  "aggregation-cancel": ofJob,
  "aggregation-estimate": async () => ({ body: job }),
  "geographies-find": async () => ({ query: "?geo_type=admin_level_2" }),
};

/** Returns the members of a request that an endpoint accepts, after creating what it is about. */
export async function successfulRequest(endpoint: Endpoint, own: Own): Promise<Required<Pick<Members, "params" | "query">> & Members> {
  const made = REQUESTS[endpoint.name];
  return { params: {}, query: "", ...(made ? await made(own) : sampleMembers(endpoint, own.uid)) };
}
