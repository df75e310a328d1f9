import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import type { Bill, Warehouse } from "../google/bigquery.ts";
import type { Exports } from "../google/storage.ts";
import { settled } from "../jobs/job-bytes.ts";
import type { JobMessage } from "../jobs/job-message.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import type { JobResult } from "../jobs/job-result.ts";
import { advance, begin, complete, isCurrent, isOver, millisecondsWithSlot, retryOrFail } from "../jobs/job-state.ts";
import type { Job, JobStore } from "../jobs/jobs.ts";
import { askedOf, openRequest, productOf } from "../products/catalogue.ts";
import { exportColumns, type ProductQuery } from "../products/product-query.ts";
import { warningsOf } from "../products/result-warnings.ts";
import { metaOf, type SummaryRow } from "../products/summary.ts";
import type { Log } from "../runtime/log.ts";
import { dispatchAndCleanUp } from "./after-transition.ts";
import { type AttemptFailure, customerMessage, isRetryable } from "./attempt-failure.ts";
import { cleanUpAfterDelivery } from "./clean-up.ts";
import { dispatch } from "./dispatch.ts";
import { exportLocationOf, type Manifest } from "./export-manifest.ts";
import { manifestName, partPrefix } from "./export-path.ts";
import { runAttempt } from "./run-attempt.ts";
import { billsOf, settleBytes, totalOf } from "./settle-bytes.ts";
import { attemptStages, isExported } from "./stages.ts";

/** The dependencies of running a job. */
export interface RunContext {
  readonly jobs: JobStore;
  readonly queue: JobQueue;
  readonly warehouse: Warehouse;
  readonly exports: Exports;
  readonly countries: CountryTable;
  readonly exportBucket: string;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Processes one delivery of a job: starts or attaches to its warehouse jobs, waits a while, then ends the job or hands over to the next
 * step. When its process is to end, it hands over at once: the warehouse keeps working, and the next step, sent without delay, finds the
 * same job. Idempotent: a delivery that becomes stale changes nothing. Throws on transient errors of a dependency: the message is delivered
 * again.
 */
export async function runJob(message: JobMessage, context: RunContext): Promise<void> {
  const { jobs, warehouse, now, log, shutdownSignal } = context;
  const job = await jobs.update(message.job_id, (current) => begin(current, message, now()));
  if (!job) {
    log("INFO", "Stale delivery", { jobId: message.job_id, attempt: message.attempt, step: message.step });
    return;
  }
  const rules = context.countries[job.request.country_code];
  const prepared = rules && openRequest(job.request, rules);
  if (!prepared) return fail(job, message, { state: "failed", reason: "countryNotOffered", message: "" }, context);
  const query = prepared.query();
  const labels = { customer: job.uid, job: job.id, product: job.request.agg_type };
  const isStillCurrent = async (): Promise<boolean> => {
    const current = await jobs.get(job.id);
    return current !== undefined && isCurrent(current, message);
  };
  const stages = attemptStages(job, query, context.exportBucket);
  const outcome = await runAttempt(stages, { labels, warehouse, now, isStillCurrent, shutdownSignal });
  switch (outcome.state) {
    case "stale":
      return cleanUpStaleDelivery(job, context);
    case "failed":
      return fail(job, message, outcome, context);
    case "running":
      return handOver(job, message, outcome.progress, context);
    case "done":
      return finish({ job, message, query, rules, summary: outcome.summary, isStillCurrent }, context);
  }
}

/** Leaves a job whose queries still run to the next step. */
async function handOver(job: Job, message: JobMessage, progress: number, context: RunContext): Promise<void> {
  const { jobs, queue, now, log, shutdownSignal } = context;
  const next = await jobs.update(job.id, (current) => advance(current, message, progress, now()));
  if (next) await dispatch(next, queue, log, shutdownSignal?.aborted ? 0 : undefined);
}

/** An attempt whose queries are done. */
interface DoneAttempt {
  readonly job: Job;
  readonly message: JobMessage;
  readonly query: ProductQuery;
  readonly rules: CountryRules;
  readonly summary: SummaryRow;
  readonly isStillCurrent: () => Promise<boolean>;
}

/** Publishes the files of an export and completes the job, unless its delivery has become stale or its data have changed meanwhile. */
async function finish(attempt: DoneAttempt, context: RunContext): Promise<void> {
  const { job, message, query, rules, summary, isStillCurrent } = attempt;
  const { jobs, warehouse, now } = context;
  const bills = await billsOf(job, warehouse);
  if (job.request.full && !isExported(job, summary, bills))
    return fail(job, message, { state: "failed", reason: "dataChanged", message: "Data of the window was loaded meanwhile" }, context);
  const result = resultWithoutFiles(job, query, summary, rules);
  if (job.request.full && !(await isStillCurrent())) return cleanUpStaleDelivery(job, context);
  const files = job.request.full ? await publish(job, query, result, context) : null;
  const bill = totalOf(bills);
  const end = (current: Job) => withBill(withResult(complete(current, message, now()), { ...result, files }), bill?.bytes);
  const done = await jobs.transition(job, end, now());
  if (!done) return cleanUpStaleDelivery(job, context);
  logCompleted(done.job, bill, context);
  await dispatchAndCleanUp(done, context);
}

/** Removes what this delivery left, after its job was cancelled, deleted or ended otherwise during the work. */
async function cleanUpStaleDelivery(job: Job, context: RunContext): Promise<void> {
  const current = await context.jobs.get(job.id);
  await cleanUpAfterDelivery(job, current, context);
  if (current) await settleBytes(current, context);
}

async function fail(job: Job, message: JobMessage, outcome: AttemptFailure, context: RunContext): Promise<void> {
  const { jobs, warehouse, now, log } = context;
  const { reason } = outcome;
  log("WARNING", "An attempt failed", { jobId: job.id, attempt: job.attempt, reason, fault: outcome.message });
  const failure = { isRetryable: isRetryable(reason), error: customerMessage(reason) };
  const bill = totalOf(await billsOf(job, warehouse));
  const failed = await jobs.transition(job, (current) => withBill(retryOrFail(current, message, failure, now()), bill?.bytes), now());
  if (failed) await dispatchAndCleanUp(failed, context);
}

function resultWithoutFiles(job: Job, query: ProductQuery, summary: SummaryRow, rules: CountryRules): JobResult {
  return {
    meta: metaOf(summary, rules, productOf(job.request).step(rules)),
    totalRows: summary.total_rows,
    dataVersions: summary.data_versions,
    warnings: warningsOf(query, summary, rules),
    preview: job.request.full ? null : JSON.stringify(summary.preview ?? []),
    files: null,
  };
}

/**
 * Writes the manifest with the winning attempt's files, last and only once, so a visible manifest means a complete export. If the job is
 * cancelled or deleted meanwhile, the files may be removed just before the manifest appears, and it is removed next: only the manifest of a
 * completed job is a promise.
 */
async function publish(job: Job, query: ProductQuery, result: JobResult, { exports, now }: RunContext) {
  const location = exportLocationOf(job);
  const files = await exports.list(partPrefix(location, job.attempt));
  const manifest: Manifest = {
    job_id: job.id,
    agg_type: job.request.agg_type,
    country_code: job.request.country_code,
    format: job.request.format,
    attempt: job.attempt,
    files,
    total_rows: result.totalRows,
    columns: exportColumns(query, job.request.format),
    request: askedOf(job.request),
    data_versions: result.dataVersions,
    meta: result.meta,
    created_at: now().toISOString(),
  };
  await exports.writeJson(manifestName(location), manifest);
  return files;
}

/** Logs how long a job took since it got its slot, and what of it was not spent in its queries: waiting for our queue, worker and files. */
function logCompleted(job: Job, bill: Bill | undefined, { log }: RunContext): void {
  const { id: jobId, attempt, request } = job;
  const runMs = millisecondsWithSlot(job);
  const times = bill && runMs !== undefined ? { queryMs: bill.milliseconds, overheadMs: Math.max(0, runMs - bill.milliseconds) } : {};
  log("INFO", "Job completed", { jobId, uid: job.uid, product: request.agg_type, attempt, runMs, ...times });
}

function withResult(job: Job | undefined, result: JobResult): Job | undefined {
  return job && { ...job, result };
}

/** Returns a job with its bill, if that is known. If not, the reservation of a job that is over stays until it is cleaned up. */
function withBill(job: Job | undefined, billed: number | undefined): Job | undefined {
  return job && billed !== undefined ? (settled(job, billed, isOver(job)) ?? job) : job;
}
