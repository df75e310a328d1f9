import { exportLocationOf } from "../../../shared/aggregation/export-manifest.ts";
import { exportPrefix } from "../../../shared/aggregation/export-path.ts";
import type { Job } from "../../../shared/jobs/jobs.ts";
import { minute } from "../print.ts";

/** A job for scripts: all but its results, which are its customer's. */
export function jobJson({ result, ...job }: Job) {
  return { ...job, totalRows: result?.totalRows ?? null };
}

/** A job for people, as a row. */
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

/** A job for people, by the names of its fields. `replayedAs`: the job that an operator's replay of it has made. */
export function jobFields(job: Job, customer: string, replayedAs: Job | undefined, bucket: string) {
  const { request, status, attempt, step, result } = job;
  const isOwed = job.dispatch ? ", its delivery on its way" : "";
  return {
    job: job.id,
    customer,
    key: job.keyLabel,
    status: `${status} ${job.progress} %`,
    ...(job.error === null ? {} : { error: job.error }),
    work: `attempt ${attempt}, step ${step}${job.placed ? ", in work" : ""}${isOwed}`,
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
