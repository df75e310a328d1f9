import * as v from "valibot";
import { JobId } from "../../../shared/jobs/job-id.ts";
import { type Job, type JobStore, openJobs } from "../../../shared/jobs/jobs.ts";
import { replayId } from "../../../shared/jobs/replay-id.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";

/** Opens the job store of the deployment. Its log lines become notes. */
export function jobsOf({ config, note }: Pick<Session, "config" | "note">): JobStore {
  return openJobs(config, (_severity, message, fields) => note(`${message}: ${JSON.stringify(fields)}`));
}

/** Returns a job by id. Throws a UsageError if it does not exist or its document is invalid. */
export async function requireJob(jobs: Pick<JobStore, "get">, id: string): Promise<Job> {
  const job = v.is(JobId, id) ? await read(jobs, id) : undefined;
  if (job) return job;
  throw new UsageError(`There is no job ${JSON.stringify(id)}; ${COMMAND} jobs list --customer UID lists a customer's jobs`);
}

/** Returns the replay of a job, if there is one. */
export function replayOf(jobs: Pick<JobStore, "get">, { id }: Pick<Job, "id">): Promise<Job | undefined> {
  return read(jobs, replayId(id));
}

async function read(jobs: Pick<JobStore, "get">, id: string): Promise<Job | undefined> {
  try {
    return await jobs.get(id);
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    throw new UsageError(`The stored job ${id} cannot be read: ${v.getDotPath(error.issues[0])}: ${error.message}`);
  }
}
