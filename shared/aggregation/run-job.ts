import * as v from "valibot";
import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { verdictOnReason } from "../google/classify-error.ts";
import type { TaskQueue } from "../google/cloud-tasks.ts";
import type { Exports } from "../google/storage.ts";
import type { JobResult } from "../jobs/job-fields.ts";
import type { JobMessage } from "../jobs/job-message.ts";
import { advance, begin, complete, isCurrent, retryOrFail } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { productQuery } from "../products/catalogue.ts";
import { exportColumns, type ProductQuery } from "../products/statements.ts";
import { Ledger, metaOf, Summary } from "../products/summary.ts";
import type { Log } from "../runtime/log.ts";
import { followUp } from "./after-transition.ts";
import { customerText, type Failed } from "./attempt-failure.ts";
import { clearBehind } from "./clean-up.ts";
import { dispatch } from "./dispatch.ts";
import { type Manifest, placeOf } from "./export-manifest.ts";
import { manifestName, partPrefix } from "./export-path.ts";
import { runAttempt } from "./run-attempt.ts";
import { stagesOf } from "./stages.ts";

/** What running a job needs of the world. */
export interface JobRunner {
  readonly jobs: JobStore;
  readonly queue: TaskQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly countries: CountryTable;
  readonly exportBucket: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly stopping?: AbortSignal;
}

/**
 * One delivery of a job: starts or attaches to its warehouse jobs, waits a while, and ends the job, or hands over to the next step.
 * When its process is to end it hands over at once: the warehouse works on, and the next step, dispatched without delay, finds the same job.
 * Safe to repeat at any point: a delivery that has become stale on the way decides nothing. Throws when a dependency failed in a way that
 * another delivery of the same message may not meet.
 */
export async function runJob(message: JobMessage, runner: JobRunner): Promise<void> {
  const { jobs, warehouse, queue, now, log, stopping } = runner;
  const job = await jobs.move(message.job_id, (current) => begin(current, message, now()));
  if (!job) {
    log("INFO", "Stale delivery", { jobId: message.job_id, attempt: message.attempt, step: message.step });
    return;
  }
  const rules = runner.countries[job.request.country_code];
  if (!rules) return fail(job, message, { state: "failed", reason: "countryNotOffered", message: "" }, runner);
  const query = productQuery(job.request, rules);
  const labels = { customer: job.uid, job: job.id, product: job.request.agg_type };
  const isWanted = async (): Promise<boolean> => {
    const current = await jobs.get(job.id);
    return current !== undefined && isCurrent(current, message);
  };
  const outcome = await runAttempt(stagesOf(job, query, runner.exportBucket), { labels, warehouse, now, isWanted, stopping });
  if (outcome.state === "unwanted") return giveUp(job, runner);
  if (outcome.state === "failed") return fail(job, message, outcome, runner);
  if (outcome.state === "running") {
    const next = await jobs.move(job.id, (current) => advance(current, message, outcome.progress, now()));
    if (next) await dispatch(next, queue, log, stopping?.aborted ? 0 : undefined);
    return;
  }
  const summary = v.parse(Summary, outcome.rows[0]);
  const after = job.request.full ? v.parse(Ledger, outcome.rows.at(-1)) : summary;
  if (JSON.stringify(after.data_versions) !== JSON.stringify(summary.data_versions))
    return fail(job, message, { state: "failed", reason: "dataChanged", message: "Data of the window was loaded meanwhile" }, runner);
  const result = resultOf(job, summary, rules);
  if (job.request.full && !(await isWanted())) return giveUp(job, runner);
  const files = job.request.full ? await publish(job, query, result, runner) : null;
  const finished = { ...result, files };
  const done = await jobs.settle(job, (current) => withResult(complete(current, message, now()), finished), now());
  if (done) await followUp(done, runner);
  else await giveUp(job, runner);
}

/** The job was cancelled, deleted or ended otherwise while this delivery was at work: what it has left is removed at once. */
async function giveUp(job: Job, runner: JobRunner): Promise<void> {
  await clearBehind(job, await runner.jobs.get(job.id), runner);
}

async function fail(job: Job, message: JobMessage, outcome: Failed, runner: JobRunner): Promise<void> {
  const { jobs, now, log } = runner;
  const { reason } = outcome;
  log("WARNING", "An attempt failed", { jobId: job.id, attempt: job.attempt, reason, fault: outcome.message });
  const failure = { isWorthRepeating: verdictOnReason(reason) === "repeat", error: customerText(reason) };
  const settled = await jobs.settle(job, (current) => retryOrFail(current, message, failure, now()), now());
  if (settled) await followUp(settled, runner);
}

function resultOf(job: Job, summary: Summary, rules: CountryRules): JobResult {
  return {
    meta: metaOf(summary, rules),
    totalRows: summary.total_rows,
    dataVersions: summary.data_versions,
    preview: job.request.full ? null : JSON.stringify(summary.preview ?? []),
    files: null,
  };
}

/**
 * Names the winning attempt's files in the manifest, written last and only once: who sees it sees a whole export, as long as the job is not
 * cancelled or deleted. Then its files may be removed just before the manifest comes, which is removed next: only a completed job's promises
 * anything.
 */
async function publish(job: Job, query: ProductQuery, result: JobResult, { exports, now }: JobRunner) {
  const place = placeOf(job);
  const files = await exports.list(partPrefix(place, job.attempt));
  const manifest: Manifest = {
    job_id: job.id,
    agg_type: job.request.agg_type,
    country_code: job.request.country_code,
    format: job.request.format,
    attempt: job.attempt,
    files,
    total_rows: result.totalRows,
    columns: exportColumns(query, job.request.format),
    request: job.request,
    data_versions: result.dataVersions,
    meta: result.meta,
    created_at: now().toISOString(),
  };
  await exports.writeJson(manifestName(place), manifest);
  return files;
}

function withResult(job: Job | undefined, result: JobResult): Job | undefined {
  return job && { ...job, result };
}
