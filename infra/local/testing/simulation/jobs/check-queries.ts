import { isOver } from "../../../../../shared/jobs/job-state.ts";
import { short } from "./memory-jobs.ts";
import type { WarehouseJob } from "./memory-warehouse.ts";
import { latencyMax, type Scene } from "./scene.ts";

/** What must hold of every query that the warehouse starts, and bills. */
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
  // Who starts one has looked at the job just before: that call may be on its way while the one is that ends it, at a time told before.
  const over = job.finishedAt ? world.time - job.finishedAt.getTime() : 0;
  if (isOver(job) && over > 2 * latencyMax(scene))
    world.violate("nothing is started for a job that is over", `${name}: ${job.status} for ${over} ms`);
}
