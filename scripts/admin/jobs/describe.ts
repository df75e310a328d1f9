import { exportLocationOf } from "../../../shared/aggregation/export-manifest.ts";
import { exportPrefix } from "../../../shared/aggregation/export-path.ts";
import type { Job } from "../../../shared/jobs/jobs.ts";
import { minute } from "../print.ts";

/** Returns a job's `--json` form. Results are left out: they belong to the customer. */
export function jobJson({ result, ...job }: Job) {
  return { ...job, totalRows: result?.totalRows ?? null };
}

/** Returns a job as a table row. */
export function jobRow({ id, uid, status, progress, attempt, request, createdAt, finishedAt, error }: Job) {
  return {
    job: id,
    customer: uid,
    status: status === "running" ? `running ${progress} %` : status,
    asks: `${request.agg_type} ${request.country_code}${request.full ? " full" : ""}`,
    attempt,
    created: minute(createdAt),
    ended: finishedAt ? minute(finishedAt) : "–",
    error: error ?? "",
  };
}

/** Returns a job's fields for display, by label. `replayedAs`: the job that its replay created. */
export function jobFields(job: Job, customer: string, replayedAs: Job | undefined, bucket: string) {
  const { request, status, attempt, step, result } = job;
  const delivery = job.dispatch ? ", delivery pending" : "";
  return {
    job: job.id,
    customer,
    key: job.keyLabel,
    status: `${status} ${job.progress} %`,
    ...(job.error === null ? {} : { error: job.error }),
    work: `attempt ${attempt}, step ${step}${job.placed ? ", holds a slot" : ""}${delivery}`,
    created: job.createdAt.toISOString(),
    started: job.startedAt?.toISOString() ?? "–",
    touched: job.touchedAt.toISOString(),
    ended: job.finishedAt?.toISOString() ?? "–",
    request: JSON.stringify(request),
    ...(result ? { rows: result.totalRows } : {}),
    ...(request.full ? { folder: `gs://${bucket}/${exportPrefix(exportLocationOf(job))}` } : {}),
    "replayed as": replayedAs ? `${replayedAs.id} (${replayedAs.status})` : "–",
  };
}
