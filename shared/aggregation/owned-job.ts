import type { Caller } from "../http/caller.ts";
import { ServiceError } from "../http/errors.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";

/** The caller's own job, of a country that its key covers. Another customer's is answered like one that does not exist. */
export async function ownedJob(jobs: JobStore, id: string, caller: Caller): Promise<Job> {
  const job = await jobs.get(id);
  if (!job || job.uid !== caller.uid) throw new ServiceError("not_found", "There is no such job");
  const { country_code: country } = job.request;
  if (!caller.countries.includes(country))
    throw new ServiceError("permission_denied", `This key does not cover ${country}, the job's country`);
  return job;
}
