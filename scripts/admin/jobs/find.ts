import * as v from "valibot";
import { JobId } from "../../../shared/jobs/job-id.ts";
import { type Job, type JobStore, openJobs } from "../../../shared/jobs/jobs.ts";
import { replayId } from "../../../shared/jobs/replay-id.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";

/** The jobs of the deployment; what its store has to say is noted. */
export function jobsOf({ config, note }: Pick<Session, "config" | "note">): JobStore {
  return openJobs(config, (_severity, message, fields) => note(`${message}: ${JSON.stringify(fields)}`));
}

/** The job of an id. Throws a UsageError when there is none, or when what is stored is no job. */
export async function requireJob(jobs: Pick<JobStore, "get">, id: string): Promise<Job> {
  const job = v.is(JobId, id) ? await read(jobs, id) : undefined;
  if (job) return job;
  throw new UsageError(`There is no job ${JSON.stringify(id)}; ${COMMAND} jobs list --customer UID shows a customer's`);
}

/** The job as which a job was run again, if it was. */
export function replayOf(jobs: Pick<JobStore, "get">, { id }: Pick<Job, "id">): Promise<Job | undefined> {
  return read(jobs, replayId(id));
}

async function read(jobs: Pick<JobStore, "get">, id: string): Promise<Job | undefined> {
  try {
    return await jobs.get(id);
  } catch (error) {
    if (!(error instanceof v.ValiError)) throw error;
    throw new UsageError(`What is stored as the job ${id} cannot be read: ${v.getDotPath(error.issues[0])}: ${error.message}`);
  }
}
