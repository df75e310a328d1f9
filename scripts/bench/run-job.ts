import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Ready } from "../../infra/local/ready-file.ts";
import { StatusResponse, SubmitResponse } from "../../shared/aggregation/job-schemas.ts";

/** Submits a job and polls it at an interval in milliseconds until it is completed. Returns its id. Throws if it ends otherwise. */
export async function runJob(ready: Ready, key: string, body: object, every: number): Promise<string> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const answer = await fetch(`${ready.data_base_url}/data-agg`, { method: "POST", headers, body: JSON.stringify(body) });
  const { job_id, status_url } = v.parse(SubmitResponse, await answer.json());
  for (;;) {
    await delay(every);
    const { status } = v.parse(StatusResponse, await (await fetch(ready.data_base_url + status_url, { headers })).json());
    if (status === "completed") return job_id;
    if (status !== "queued" && status !== "running") throw new Error(`A job ended as ${status}`);
  }
}
