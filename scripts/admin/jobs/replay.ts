import { randomUUID } from "node:crypto";
import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import { dispatch } from "../../../shared/aggregation/dispatch.ts";
import { classifyError } from "../../../shared/google/classify-error.ts";
import { openJobQueue } from "../../../shared/jobs/job-queue.ts";
import { newJob } from "../../../shared/jobs/job-state.ts";
import type { Job, JobStore } from "../../../shared/jobs/jobs.ts";
import { replayId } from "../../../shared/jobs/replay-id.ts";
import { requireCustomer } from "../find.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { jobsOf, replayOf, requireJob } from "./find.ts";

export default defineVerb({
  words: "JOB_ID",
  more: `  What has failed stays failed: its request is submitted again, as a new job of the same customer and key, once however often this is run.
  It counts as one of the customer's jobs: it waits in the customer's line, and where a quota forbids it, this says so and does nothing.
`,
  options: {},
  run: async ([id = ""], _values, session) => {
    const jobs = jobsOf(session);
    const failed = await requireJob(jobs, id);
    const known = await replayOf(jobs, failed);
    if (known) return answer(failed, known, "was replayed already, as", `it is ${known.status}`);
    const customer = await requireCustomer(session, failed.uid);
    assertReplayable(failed, customer, session);
    const { job, isNew } = await submit(failed, customer, jobs, session.now());
    if (!isNew) return answer(failed, job, "was replayed already, as", `it is ${job.status}`);
    await session.record("job.replay", failed.uid, `${id} as ${job.id}`);
    if (!job.dispatch) return answer(failed, job, "is replayed as", "it waits for one of its customer's places in work");
    await dispatch(job, openJobQueue(session.config), (_severity, message) => session.note(message));
    return answer(failed, job, "is replayed as", "it has its place in work");
  },
});

/** Throws a UsageError, which says what would have to change, for a job that cannot be run again. */
function assertReplayable(job: Job, { uid, name, status, countries }: CustomerDetails, session: Session): void {
  const { country_code: country } = job.request;
  if (job.status !== "failed") throw new UsageError(`The job is ${job.status}; only one that has failed can be replayed`);
  if (status !== "active")
    throw new UsageError(`${name} is ${status}; its jobs can be replayed when it is active: ${COMMAND} customers show ${uid}`);
  if (!Object.hasOwn(session.countries, country)) throw new UsageError(`The service has no ${country} any more, which the job asks for`);
  if (!countries.includes(country))
    throw new UsageError(
      `${name} has no ${country} any more, which the job asks for; ${COMMAND} scopes grant ${uid} country:${country} gives it back`,
    );
}

/** How long it is known who has made the new job. */
const KNOWN_MS = 86_400_000;

/** Two operators at once make one job: whose it is the record tells that is made with it, under a name that no customer can give. */
async function submit(failed: Job, { uid, name }: CustomerDetails, jobs: JobStore, now: Date): Promise<{ job: Job; isNew: boolean }> {
  const { keyLabel, request } = failed;
  const id = replayId(failed.id);
  try {
    const own = { key: `replay\n${id}`, requestHash: randomUUID(), expireAt: new Date(now.getTime() + KNOWN_MS) };
    const make = (placed: boolean): Job => ({ ...newJob(now, placed), id, uid, keyLabel, request, result: null });
    const submission = await jobs.submit(uid, now, make, own);
    if ("job" in submission) return { job: submission.job, isNew: (await jobs.find(uid, now, own))?.outcome === "repeated" };
    if (submission.outcome === "customerDeleted") throw new UsageError(`${name} is gone`);
    if (submission.outcome === "tooMuchContention") throw new UsageError(`${name} submits very many jobs just now: try again`);
    if (submission.outcome === "too-many")
      throw new UsageError(
        `${name} has as many unfinished jobs as it may, ${submission.limit}: wait for some to end, or ${COMMAND} quotas set ${uid} --unfinished-jobs N`,
      );
    if (submission.outcome === "too-many-exports")
      throw new UsageError(
        `${name} has submitted as many exports today (UTC) as it may, ${submission.limit}: wait for tomorrow, or ${COMMAND} quotas set ${uid} --exports-per-day N`,
      );
  } catch (error) {
    if (error instanceof UsageError || classifyError(error) !== "alreadyExists") throw error;
  }
  const job = await jobs.get(id);
  if (!job) throw new Error(`The job ${id} was there, and is gone`);
  return { job, isNew: false };
}

function answer({ id, uid }: Job, again: Job, what: string, how: string) {
  return {
    json: { jobId: id, replayedAs: again.id, uid, status: again.status },
    lines: [`${id} ${what} ${again.id}; ${how}`],
  };
}
