import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import { NO_SUCH_JOB } from "../jobs/job-id.ts";
import type { JobResult } from "../jobs/job-result.ts";
import type { Job, JobReader } from "../jobs/jobs.ts";

/** Returns the caller's own job. Throws `not_found` also for another customer's job, and for one of a country that the key does not cover. */
export async function ownedJob(jobs: Pick<JobReader, "get">, id: string, caller: Caller): Promise<Job> {
  const job = await jobs.get(id);
  if (!job || job.uid !== caller.uid || !caller.countries.includes(job.request.country_code))
    throw new ServiceError("not_found", NO_SUCH_JOB);
  return job;
}

/** Returns the result of a completed job. Throws the error that says why another job has none. */
export function resultOf({ id, status, error, result }: Job): JobResult {
  if (status === "failed") throw new ServiceError("job_failed", error ?? "The job failed");
  if (status === "cancelled") throw new ServiceError("job_cancelled", "The job was cancelled");
  if (status === "expired") throw new ServiceError("expired", "The results were removed after 30 days; please submit the job again");
  if (status !== "completed") throw new ServiceError("conflict", `The job is ${status}; poll its status until it is completed`);
  if (!result) throw new Error(`Job ${id} is completed without a result`);
  return result;
}
