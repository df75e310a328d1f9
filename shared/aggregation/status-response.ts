import type * as v from "valibot";
import type { Job } from "../jobs/jobs.ts";
import type { StatusResponse } from "./job-schemas.ts";

/** Returns a job's status for its customer. `estimated_completion` is null: there is no reliable estimate. */
export function statusResponse(job: Job): v.InferInput<typeof StatusResponse> {
  return {
    job_id: job.id,
    status: job.status,
    progress: job.progress,
    created_at: job.createdAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    estimated_completion: null,
    error: job.error,
    warnings: job.result?.warnings ?? [],
  };
}
