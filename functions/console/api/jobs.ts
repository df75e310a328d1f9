import * as v from "valibot";
import { call } from "./client.ts";

/** The states of a job, in their order. */
export const JOB_STATES = ["queued", "running", "completed", "failed", "cancelled", "expired"] as const;
/** Those from which a job goes on. */
export const UNFINISHED: readonly (typeof JOB_STATES)[number][] = ["queued", "running"];

const Warnings = v.array(v.object({ code: v.string(), detail: v.string() }));
const JobFields = {
  job_id: v.string(),
  status: v.picklist(JOB_STATES),
  progress: v.number(),
  created_at: v.string(),
  started_at: v.nullable(v.string()),
  finished_at: v.nullable(v.string()),
  error: v.nullable(v.string()),
  warnings: Warnings,
};
const ListedJob = v.object({ ...JobFields, agg_type: v.string(), country_code: v.string(), full: v.boolean(), submitted_by: v.string() });
const Status = v.object(JobFields);

export type JobStatus = v.InferOutput<typeof Status>;
export type ListedJob = v.InferOutput<typeof ListedJob>;

const Estimate = v.object({
  estimated_bytes_max: v.number(),
  estimated_rows_max: v.number(),
  estimated_cost_max: v.object({ amount: v.number(), currency: v.string() }),
});

export type Estimate = v.InferOutput<typeof Estimate>;

const ResultFields = {
  status: v.literal("completed"),
  total_rows: v.number(),
  data_versions: v.array(v.object({ batch_date: v.string(), version: v.number() })),
  superseded: v.nullable(v.boolean()),
};
const Row = v.record(v.string(), v.nullable(v.union([v.string(), v.number()])));
const ExportFile = v.object({ name: v.string(), size: v.number(), crc32c: v.string() });

/** A file of a job's results: its bytes, and their CRC32C as Cloud Storage writes it. */
export type ExportFile = v.InferOutput<typeof ExportFile>;

const Results = v.union([
  v.object({ ...ResultFields, preview: v.array(Row) }),
  v.object({ ...ResultFields, files: v.array(ExportFile), gs_uri: v.string() }),
]);

export type JobResults = v.InferOutput<typeof Results>;

/** The body of a job. */
export type JobRequest = Readonly<Record<string, string | number | boolean | readonly number[] | undefined>>;

export function estimateJob(body: JobRequest, signal: AbortSignal): Promise<Estimate> {
  return call("data", "/data-agg/estimate", Estimate, { method: "POST", body, signal });
}

/** Submits a job. The idempotency key makes a repeated request find the same job. */
export async function submitJob(body: JobRequest, idempotencyKey: string): Promise<string> {
  const { job_id } = await call("data", "/data-agg", v.object({ job_id: v.string() }), {
    method: "POST",
    body,
    headers: { "idempotency-key": idempotencyKey },
  });
  return job_id;
}

interface Page {
  readonly jobs: ListedJob[];
  readonly next_cursor: string | null;
}

export function listJobs(filter: { readonly status?: string; readonly agg_type?: string; readonly cursor?: string }): Promise<Page> {
  const List = v.object({ jobs: v.array(ListedJob), next_cursor: v.nullable(v.string()) });
  return call("data", "/data-agg/jobs", List, { query: { limit: 30, ...filter } });
}

export function fetchStatus(id: string): Promise<JobStatus> {
  return call("data", `/data-agg/status/${id}`, Status);
}

const Ids = v.optional(v.nullable(v.array(v.number())));
const AskedFor = v.object({
  agg_type: v.string(),
  country_code: v.string(),
  measure: v.string(),
  activity_type: v.string(),
  start_time: v.string(),
  end_time: v.string(),
  full: v.boolean(),
  format: v.string(),
  geo_type: v.optional(v.string()),
  geo_ids: Ids,
  origin_geo_type: v.optional(v.string()),
  origin_geo_ids: Ids,
  destination_geo_type: v.optional(v.string()),
  destination_geo_ids: Ids,
  lat: v.optional(v.number()),
  lon: v.optional(v.number()),
});

/** What a job was asked for, as the service read it; without ids, or with null from an earlier release, all geographies. */
export type AskedFor = v.InferOutput<typeof AskedFor>;

export async function fetchAskedFor(id: string): Promise<AskedFor> {
  const { request } = await call("data", `/data-agg/status/${id}`, v.object({ request: AskedFor }), { query: { include: "request" } });
  return request;
}

export function cancelJob(id: string): Promise<JobStatus> {
  return call("data", `/data-agg/cancel/${id}`, Status, { method: "POST" });
}

/** The results of a completed job. */
export function fetchResults(id: string): Promise<JobResults> {
  return call("data", `/data-agg/results/${id}`, Results);
}

/** Returns an address that reads one file of a job's results for a quarter of an hour. */
export async function signFile(id: string, name: string): Promise<string> {
  const Signed = v.object({ urls: v.array(v.object({ url: v.string() })) });
  const { urls } = await call("data", `/data-agg/results/${id}/urls`, Signed, { method: "POST", body: { files: [name] } });
  return urls[0]?.url ?? "";
}
