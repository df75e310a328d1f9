import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import { isOver } from "../jobs/job-state.ts";
import type { Job } from "../jobs/jobs.ts";
import { exportLocationOf } from "./export-manifest.ts";
import { exportPrefix, isManifest, partPrefix } from "./export-path.ts";

/** The warehouse jobs of one attempt. Their ids are made of job and attempt, so that whoever starts one attaches to it. */
export function warehouseJobIds({ id, attempt }: Pick<Job, "id" | "attempt">) {
  const exported = `agg_${id}_${attempt}`;
  return { summary: `${exported}_summary`, exported, ledger: `${exported}_ledger` };
}

/** Where attempts leave something behind. */
interface CleanUpTargets {
  readonly warehouse: Pick<Warehouse, "cancel">;
  readonly exports: Pick<Exports, "remove">;
}

/**
 * Stops the warehouse jobs of every attempt that did not win and removes what they wrote, and the files of an expired job. Harmless to repeat:
 * what is over or gone is left as it is, and so are the current attempt of an unfinished job and the files of a completed one.
 */
export async function cleanUp(job: Job, { warehouse, exports }: CleanUpTargets): Promise<void> {
  if (job.status === "expired") {
    if (job.request.full) await exports.remove(exportPrefix(exportLocationOf(job)), isManifest);
    return;
  }
  const hasNoWinner = job.status === "failed" || job.status === "cancelled";
  const lost = Array.from({ length: hasNoWinner ? job.attempt : job.attempt - 1 }, (_, index) => index + 1);
  const ids = lost.flatMap((attempt) => Object.values(warehouseJobIds({ id: job.id, attempt })));
  await Promise.all(ids.map((id) => warehouse.cancel(id)));
  if (!job.request.full) return;
  const location = exportLocationOf(job);
  if (hasNoWinner) await exports.remove(exportPrefix(location), isManifest);
  else await Promise.all(lost.map((attempt) => exports.remove(partPrefix(location, attempt), isManifest)));
}

/**
 * The same for a delivery that finds its job over, or gone with its customer, when its work is done: what it has written since is removed at
 * once. `job` is the job as the delivery knew it, `current` as it is now.
 */
export async function cleanUpAfterDelivery(job: Job, current: Job | undefined, places: CleanUpTargets): Promise<void> {
  if (current === undefined) await cleanUp({ ...job, status: "cancelled" }, places);
  // Whatever the sweeper has cleared up already: a delivery whose process was frozen has written behind it.
  else if (isOver(current)) await cleanUp(current, places);
}
