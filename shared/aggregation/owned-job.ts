import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";

/** Returns the caller's own job. Throws `not_found` also for another customer's job, `permission_denied` if the key lacks its country. */
export async function ownedJob(jobs: JobStore, id: string, caller: Caller): Promise<Job> {
  const job = await jobs.get(id);
  if (!job || job.uid !== caller.uid) throw new ServiceError("not_found", "There is no such job");
  const { country_code: country } = job.request;
  if (!caller.countries.includes(country))
    throw new ServiceError("permission_denied", `This key does not cover ${country}, the job's country`);
  return job;
}
