import { isOver } from "../../../../shared/jobs/job-state.ts";
import { short } from "./memory-jobs.ts";
import type { WarehouseJob } from "./memory-warehouse.ts";
import { latencyMax, type Scene } from "./scene.ts";

/** Checks every query that the warehouse starts, and bills. */
export function checkQuery(query: WarehouseJob, scene: Scene): void {
  const { world, jobs, warehouse } = scene;
  const job = jobs.get(query.jobId);
  if (!job) {
    world.violate("a query is a job's", query.id);
    return;
  }
  const same = [...warehouse.jobs.values()].filter(
    ({ jobId, kind, attempt }) => jobId === query.jobId && kind === query.kind && attempt === query.attempt,
  );
  const name = `${short(job.id)}, attempt ${query.attempt}, ${query.kind}`;
  if (same.length > 1) world.violate("no query is billed twice", `${name}: ${same.map(({ id }) => id).join(" and ")}`);
  if (query.attempt > job.attempt) world.violate("no query is billed twice", `${name}: the job is at attempt ${job.attempt}`);
  // A process reads the job just before it starts a query. That call may be in flight while another one ends the job, at an earlier time.
  const over = job.finishedAt ? world.time - job.finishedAt.getTime() : 0;
  if (isOver(job) && over > 2 * latencyMax(scene))
    world.violate("nothing is started for a finished job", `${name}: ${job.status} for ${over} ms`);
}
