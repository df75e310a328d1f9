import type * as v from "valibot";
import type { Job } from "../jobs/jobs.ts";
import type { StatusResponse } from "./job-schemas.ts";

/** How a job stands, as its customer sees it. Nothing honest can be said of when it will be over. */
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
  };
}
