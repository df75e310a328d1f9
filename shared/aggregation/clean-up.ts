import type { Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import { isOver } from "../jobs/job-state.ts";
import type { Job } from "../jobs/jobs.ts";
import { exportLocationOf } from "./export-manifest.ts";
import { exportPrefix, isManifest, partPrefix } from "./export-path.ts";
import { warehouseJobIds } from "./warehouse-job-ids.ts";

/** Where attempts leave something to clean up. */
interface CleanUpTargets {
  readonly warehouse: Pick<Warehouse, "cancel">;
  readonly exports: Pick<Exports, "remove">;
}

/**
 * Stops the warehouse jobs of every lost attempt and removes what they wrote, and the files of an expired job. Idempotent. It does not
 * touch the current attempt of an unfinished job or the files of a completed one.
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
 * Removes at once what a delivery wrote if its job has finished meanwhile or was deleted with its customer. `job` is the job as the
 * delivery knew it, `current` as it is now.
 */
export async function cleanUpAfterDelivery(job: Job, current: Job | undefined, targets: CleanUpTargets): Promise<void> {
  if (current === undefined) await cleanUp({ ...job, status: "cancelled" }, targets);
  // Even if the sweeper has cleaned up already: a delivery whose process was frozen may have written since.
  else if (isOver(current)) await cleanUp(current, targets);
}
