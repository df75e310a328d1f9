import * as v from "valibot";
import type { CheckContext } from "./client.ts";

/** A job of the customer whose export is complete. */
export interface ExportedJob {
  readonly id: string;
  /** Names below the job's folder, with the manifest. */
  readonly files: readonly string[];
}

type Format = "csv" | "parquet";
const Submitted = v.object({ job_id: v.string() });
const Status = v.object({ status: v.string() });
const Results = v.object({ gs_uri: v.string(), files: v.array(v.object({ name: v.string() })) });
const DAY_MS = 86_400_000;
const POLL_MS = 50;

const jobs = new Map<string, Promise<ExportedJob>>();

/** Runs a job of the customer that exports all trips of a day, once for each customer and format. */
export function exportedJob(context: CheckContext, format: Format): Promise<ExportedJob> {
  const name = `${context.customer.uid} ${format}`;
  const job = jobs.get(name) ?? run(context, format);
  jobs.set(name, job);
  return job;
}

async function run({ ready, customer }: CheckContext, format: Format): Promise<ExportedJob> {
  const headers = { "x-api-key": customer.keys.storage ?? "", "content-type": "application/json" };
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${ready.data_base_url}${path}`, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const day = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
  const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
  const window = { start_time: `${day}T00:00:00+02:00`, end_time: `${day}T23:59:59+02:00` };
  const { job_id: id } = v.parse(
    Submitted,
    await ask("/data-agg", { agg_type: "odm", measure: "trips", ...types, ...window, format, full: true }),
  );
  for (;;) {
    const { status } = v.parse(Status, await ask(`/data-agg/status/${id}`));
    if (status === "completed") break;
    if (status !== "queued" && status !== "running") throw new Error(`The job ${id} is ${status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const { gs_uri, files } = v.parse(Results, await ask(`/data-agg/results/${id}`));
  const folder = gs_uri.slice(gs_uri.indexOf(id) + id.length + 1);
  return { id, files: [...files.map(({ name }) => folder + name), `${folder}manifest.json`] };
}
