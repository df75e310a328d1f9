import { randomUUID } from "node:crypto";
import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import { dispatch } from "../../../shared/aggregation/dispatch.ts";
import { classifyError } from "../../../shared/google/classify-error.ts";
import { reservation } from "../../../shared/jobs/job-bytes.ts";
import { openJobQueue } from "../../../shared/jobs/job-queue.ts";
import { newJob } from "../../../shared/jobs/job-state.ts";
import type { Job, JobStore } from "../../../shared/jobs/jobs.ts";
import { replayId } from "../../../shared/jobs/replay-id.ts";
import { requireCustomer } from "../find.ts";
import { counted } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { jobsOf, replayOf, requireJob } from "./find.ts";

export default defineVerb({
  words: "JOB_ID",
  more: `  The failed job stays failed. Its request is submitted again as a new job of the same customer and key, at most once.
  The new job counts against the customer's quotas and waits in the customer's queue. If a quota forbids it, nothing happens.
`,
  options: {},
  run: async ([id = ""], _values, session) => {
    const jobs = jobsOf(session);
    const failed = await requireJob(jobs, id);
    const known = await replayOf(jobs, failed);
    if (known) return answer(failed, known, "was already replayed as", `it is ${known.status}`);
    const customer = await requireCustomer(session, failed.uid);
    assertReplayable(failed, customer, session);
    const { job, isNew } = await submit(failed, customer, jobs, session.now());
    if (!isNew) return answer(failed, job, "was already replayed as", `it is ${job.status}`);
    await session.record("job.replay", failed.uid, `${id} as ${job.id}`);
    if (!job.dispatch) return answer(failed, job, "is replayed as", "it waits for one of its customer's running slots");
    await dispatch(job, openJobQueue(session.config), (_severity, message) => session.note(message));
    return answer(failed, job, "is replayed as", "it has a running slot");
  },
});

/** Throws a UsageError that says what has to change first if a job cannot be replayed. */
function assertReplayable(job: Job, { uid, name, status, countries }: CustomerDetails, session: Session): void {
  const { country_code: country } = job.request;
  if (job.status !== "failed") throw new UsageError(`The job is ${job.status}; only failed jobs can be replayed`);
  if (status !== "active")
    throw new UsageError(`${name} is ${status}; its jobs can be replayed once it is active: ${COMMAND} customers show ${uid}`);
  if (!Object.hasOwn(session.countries, country)) throw new UsageError(`The service no longer has ${country}, which the job requests`);
  if (!countries.includes(country))
    throw new UsageError(
      `${name} no longer has ${country}, which the job requests; ${COMMAND} scopes grant ${uid} country:${country} restores it`,
    );
}

/** Retention of the idempotency key that tells which operator created the replay. */
const KEY_RETENTION_MS = 86_400_000;

/** Submits the replay. If two operators replay at once, an idempotency key that no customer can send tells which call created the job. */
async function submit(failed: Job, { uid, name }: CustomerDetails, jobs: JobStore, now: Date): Promise<{ job: Job; isNew: boolean }> {
  const { keyLabel, request } = failed;
  const id = replayId(failed.id);
  try {
    const own = { key: `replay\n${id}`, requestHash: randomUUID(), expireAt: new Date(now.getTime() + KEY_RETENTION_MS) };
    // What the attempts of the failed job were billed is the best guess of what its replay will be.
    const bytes = reservation(now, failed.bytes?.billed ?? 0);
    const make = (placed: boolean): Job => ({ ...newJob(now, placed, bytes), id, uid, keyLabel, request, result: null });
    const submission = await jobs.submit(uid, { now, make, idempotency: own });
    if ("job" in submission) return { job: submission.job, isNew: (await jobs.find(uid, now, own))?.outcome === "repeated" };
    if (submission.outcome === "customerDeleted") throw new UsageError(`${name} was deleted`);
    if (submission.outcome === "tooMuchContention") throw new UsageError(`${name} is submitting too many jobs right now: try again`);
    if (submission.outcome === "tooManyJobs")
      throw new UsageError(
        `${name} has reached its limit of ${counted(submission.limit, "unfinished job")}: wait for some to finish, or run ${COMMAND} quotas set ${uid} --unfinished-jobs N`,
      );
    if (submission.outcome === "tooManyExports")
      throw new UsageError(
        `${name} has reached its limit of ${counted(submission.limit, "export")} per day (UTC): wait until tomorrow, or run ${COMMAND} quotas set ${uid} --exports-per-day N`,
      );
    if (submission.outcome === "tooManyBytes")
      throw new UsageError(
        `${name} has used up what its queries may read a day (UTC): wait until tomorrow, or run ${COMMAND} quotas set ${uid} --gb-per-day N`,
      );
  } catch (error) {
    if (error instanceof UsageError || classifyError(error) !== "alreadyExists") throw error;
  }
  const job = await jobs.get(id);
  if (!job) throw new Error(`The job ${id} disappeared`);
  return { job, isNew: false };
}

function answer({ id, uid }: Job, again: Job, what: string, how: string) {
  return {
    json: { jobId: id, replayedAs: again.id, uid, status: again.status },
    lines: [`${id} ${what} ${again.id}; ${how}`],
  };
}
