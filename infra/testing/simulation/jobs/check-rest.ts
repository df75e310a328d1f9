import { jobMessageOf } from "../../../../shared/aggregation/dispatch.ts";
import { exportLocationOf } from "../../../../shared/aggregation/export-manifest.ts";
import { exportPrefix, manifestName, partPrefix } from "../../../../shared/aggregation/export-path.ts";
import { isOver } from "../../../../shared/jobs/job-state.ts";
import type { Job } from "../../../../shared/jobs/jobs.ts";
import { short } from "./memory-jobs.ts";
import { billOf } from "./memory-warehouse.ts";
import type { Scene } from "./scene.ts";

const MINUTE_MS = 60_000;
/** Two sweeps, and the time between two checks. */
const SWEEPS_MS = 3 * MINUTE_MS;

/** Checks, once faults have stopped, that every running job makes progress. To be called each minute. */
export function watchForStuck(scene: Scene): () => void {
  const { world, jobs, messages, plan } = scene;
  const idleSince = new Map<string, number>();
  const freeSince = new Map<string, number>();
  // If a sweep processes few jobs, a job may have to wait for many sweeps.
  const patience = plan.batch >= 500 ? 1 : plan.submissions + 1;
  return () => {
    for (const job of jobs.all()) {
      const isIdle = job.placed && !messages.isUnderWay(jobMessageOf(job));
      const idle = since(idleSince, `${job.id} ${job.attempt}.${job.step}`, isIdle, world.time);
      if (idle > patience * (sentAfter(job, scene) + SWEEPS_MS))
        world.violate("no job is stuck", `${short(job.id)} has waited for a delivery for ${idle / 1000} s, with nothing in flight`);
      if (job.placed && job.deadlineAt && world.time - job.deadlineAt.getTime() > patience * SWEEPS_MS)
        world.violate("no job outlives its deadline", `${short(job.id)} is ${job.status}`);
    }
    for (const [uid, { runningJobs }] of Object.entries(plan.limits)) {
      const { running, waiting } = jobs.countsOf(uid);
      if (since(freeSince, uid, waiting > 0 && running < runningJobs, world.time) > SWEEPS_MS)
        world.violate("no slot stays free while jobs wait", `${uid}: ${running} run, ${waiting} wait`);
    }
  };
}

/** Returns how long a condition has held, in milliseconds, according to the checks. */
function since(starts: Map<string, number>, key: string, isSo: boolean, time: number): number {
  if (!isSo) starts.delete(key);
  else if (!starts.has(key)) starts.set(key, time);
  return time - (starts.get(key) ?? time);
}

/** Returns after how long the sweeper sends a delivery again: soon, unless the queue has already taken it, which it does only once. */
function sentAfter(job: Job, { messages }: Scene): number {
  if (!messages.isKnown(jobMessageOf(job))) return MINUTE_MS;
  return job.resends === 0 ? 5 * MINUTE_MS : 40 * MINUTE_MS;
}

/** Checks the final state of a run. */
export function checkRest(scene: Scene): void {
  const { world, jobs, warehouse, messages } = scene;
  for (const job of jobs.all()) {
    if (!isOver(job)) world.violate("every job ends", `${short(job.id)} is ${job.status}`);
    if (job.leftovers) world.violate("nothing is left over", `${short(job.id)} is ${job.status}, and still to be cleaned up`);
    checkFolder(job, scene);
    checkBill(job, scene);
  }
  for (const { id, endAt, jobId } of warehouse.jobs.values())
    if (endAt > world.time) world.violate("no query outlives its job", `${id} still runs; ${short(jobId)} is ${jobs.get(jobId)?.status}`);
  if (messages.count() > 0) world.violate("no message outlives its job", `${messages.count()} are in flight`);
}

/** Checks that a completed export has its manifest and the winning attempt's files, and that every other job has none. */
function checkFolder(job: Job, { world, bucket }: Scene): void {
  const location = exportLocationOf(job);
  const prefix = exportPrefix(location);
  const names = [...bucket.files.keys()].filter((name) => name.startsWith(prefix));
  const isExport = job.status === "completed" && job.request.full;
  const isOwn = (name: string): boolean =>
    isExport && (name === manifestName(location) || name.startsWith(partPrefix(location, job.attempt)));
  const foreign = names.filter((name) => !isOwn(name)).map((name) => name.slice(prefix.length));
  if (foreign.length > 0)
    world.violate("nothing is left over", `${short(job.id)} is ${job.status}, attempt ${job.attempt}, and has ${foreign.join(", ")}`);
  const isWhole = names.includes(manifestName(location)) && names.length === 1 + (job.result?.files?.length ?? 0);
  if (isExport && !isWhole) world.violate("results are complete", `${short(job.id)} has ${names.length} objects`);
}

/** Checks that a job that is over reserves nothing, and counts for exactly what its queries were billed. */
function checkBill({ id, bytes }: Job, { world, warehouse }: Scene): void {
  const queries = [...warehouse.jobs.values()].filter(({ jobId }) => jobId === id);
  const billed = queries.reduce((sum, query) => sum + billOf(query), 0);
  if (bytes?.reserved !== 0) world.violate("no reservation is leaked", `${short(id)} still reserves ${bytes?.reserved}`);
  if (bytes?.billed !== billed)
    world.violate("what is billed is counted once", `${short(id)} counts ${bytes?.billed}, and was billed ${billed}`);
}
