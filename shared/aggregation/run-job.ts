import * as v from "valibot";
import { statusOf } from "../cloud/client-error.ts";
import type { Exports } from "../cloud/exports.ts";
import type { TaskQueue } from "../cloud/task-queue.ts";
import type { Outcome, Warehouse } from "../cloud/warehouse.ts";
import type { CountryTable } from "../domain/country-rules.ts";
import { manifestName, partPrefix } from "../domain/export-path.ts";
import { advance, begin, complete, type Delivery, fail, retry } from "../domain/job-state.ts";
import type { Log } from "../log.ts";
import { DataVersion, type JobResult } from "../schemas/job.ts";
import type { JobMessage } from "../schemas/job-message.ts";
import type { Job, JobStore } from "../stores/jobs.ts";
import { productQuery } from "../warehouse/aggregation.ts";
import { exportColumns, exportStatement, type ProductQuery, summaryStatement } from "../warehouse/product.ts";
import type { Statement } from "../warehouse/statement.ts";
import { dispatch } from "./dispatch.ts";
import { type Manifest, placeOf } from "./export-manifest.ts";
import { combine, customerText, isWorthRepeating } from "./job-outcome.ts";

/** How long one delivery waits for the warehouse before it hands over to the next. */
const WAIT_MS = 20_000;

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
}

const Summary = v.object({
  total_rows: v.number(),
  suppressed_rows: v.number(),
  unknown_ids: v.array(v.number()),
  data_versions: v.array(DataVersion),
  preview: v.optional(v.nullable(v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))))),
});

/**
 * One delivery of a job: starts or attaches to its warehouse jobs, waits a while, and ends the job, or hands over to the next step.
 * Safe to repeat at any point. Throws when a dependency failed in a way that another delivery of the same message may not meet.
 */
export async function runJob(message: JobMessage, runner: JobRunner): Promise<void> {
  const { jobs, countries, exportBucket, now, log } = runner;
  const job = await jobs.move(message.job_id, (current) => begin(current, message, now()));
  if (!job) {
    log("INFO", "Stale delivery", { jobId: message.job_id, attempt: message.attempt, step: message.step });
    return;
  }
  const rules = countries[job.request.country_code];
  if (!rules) return endFailed(job, runner, "The country is not offered any more");
  const query = productQuery(job.request, rules);
  const outcome = await work(job, statementsOf(job, query, exportBucket), runner);
  if (outcome.state === "running") return handOver(job, message, outcome.progress, runner);
  if (outcome.state === "failed") return repeatOrFail(job, message, outcome, runner);
  const { preview, ...summary } = v.parse(Summary, outcome.rows[0]);
  const result: JobResult = {
    meta: { suppressed_rows: summary.suppressed_rows, unknown_ids: summary.unknown_ids, k: rules.k },
    totalRows: summary.total_rows,
    dataVersions: summary.data_versions,
    preview: job.request.full ? null : JSON.stringify(preview ?? []),
    files: null,
  };
  const files = job.request.full ? await publish(job, query, result, runner) : null;
  const done = await jobs.end(job, (current) => withResult(complete(current, message, now()), { ...result, files }), now());
  if (done?.next) await dispatch(done.next, runner.queue, log);
}

/** The ids of an attempt's warehouse jobs: made of job and attempt, so that whoever starts one attaches to it. */
export function warehouseJobIds({ id, attempt }: Pick<Job, "id" | "attempt">): readonly [summary: string, exported: string] {
  return [`agg_${id}_${attempt}_summary`, `agg_${id}_${attempt}`];
}

/** The statements of an attempt by the ids of their warehouse jobs; the summary, whose row is read, comes first. */
function statementsOf(job: Job, query: ProductQuery, bucket: string): [string, Statement][] {
  const [summaryId, exportId] = warehouseJobIds(job);
  const summary: [string, Statement] = [summaryId, summaryStatement(query, !job.request.full)];
  if (!job.request.full) return [summary];
  return [summary, [exportId, exportStatement(query, job.request.format, bucket, partPrefix(placeOf(job), job.attempt))]];
}

async function work(job: Job, statements: readonly [string, Statement][], { warehouse }: JobRunner): Promise<Outcome> {
  const labels = { customer: job.uid, job: job.id, product: job.request.agg_type };
  const outcomes = await Promise.all(
    statements.map(async ([id, statement]): Promise<Outcome> => {
      try {
        await warehouse.start(id, statement, labels);
      } catch (error) {
        const status = statusOf(error);
        if (status === 400 || status === 403 || status === 404) return { state: "failed", reason: "invalidQuery", message: String(error) };
        throw error;
      }
      return warehouse.wait(id, WAIT_MS);
    }),
  );
  return combine(outcomes);
}

async function handOver(job: Job, delivery: Delivery, progress: number, { jobs, queue, now, log }: JobRunner): Promise<void> {
  const next = await jobs.move(job.id, (current) => advance(current, delivery, progress, now()));
  if (next) await dispatch(next, queue, log);
}

async function repeatOrFail(
  job: Job,
  delivery: Delivery,
  outcome: Extract<Outcome, { state: "failed" }>,
  runner: JobRunner,
): Promise<void> {
  const { jobs, queue, now, log } = runner;
  log("WARNING", "A warehouse job failed", { jobId: job.id, attempt: job.attempt, reason: outcome.reason, fault: outcome.message });
  const next = isWorthRepeating(outcome.reason) ? await jobs.move(job.id, (current) => retry(current, delivery, now())) : undefined;
  if (next) return dispatch(next, queue, log);
  return endFailed(job, runner, customerText(outcome.reason));
}

async function endFailed(job: Job, { jobs, queue, now, log }: JobRunner, error: string): Promise<void> {
  const done = await jobs.end(job, (current) => (current.attempt === job.attempt ? fail(current, error, now()) : undefined), now());
  if (done?.next) await dispatch(done.next, queue, log);
}

/** Names the winning attempt's files in the manifest, written last: who sees it sees a whole export. */
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
