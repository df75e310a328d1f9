import type { Mutant } from "./mutant.ts";

const STATE = "shared/jobs/job-state.ts";
const RUN = "shared/aggregation/run-job.ts";
const SWEEP = "shared/aggregation/sweep-jobs.ts";
const BYTES = "shared/jobs/job-bytes.ts";
const SETTLE = "shared/aggregation/settle-bytes.ts";
const NO_RESULT =
  "{ meta: { suppressed_rows: null, unknown_ids: [], k: 5, step: 20 }, totalRows: 0, dataVersions: [], warnings: [], preview: null, files: null }";

/** The guards of the job path, each broken in turn. */
const MUTANTS: readonly Omit<Mutant, "subject">[] = [
  { name: "a delivery of another attempt is accepted", seed: 22, file: STATE, from: " && job.attempt === delivery.attempt", to: "" },
  { name: "a delivery of another step is accepted", file: STATE, from: " && job.step === delivery.step", to: "" },
  {
    name: "a finished job can be cancelled",
    seed: 21,
    file: STATE,
    from: "return isOver(job) ? undefined : end(job,",
    to: "return end(job,",
  },
  {
    name: "a stale dead letter is accepted",
    seed: 494,
    file: STATE,
    from: 'return isCurrent(job, delivery) ? { ...end(job, "failed", now), error: UNDELIVERABLE }',
    to: 'return !isOver(job) ? { ...end(job, "failed", now), error: UNDELIVERABLE }',
  },
  { name: "a finished job keeps its slot", file: STATE, from: "placed: false,\n    dispatch: false,", to: "dispatch: false," },
  {
    name: "a released slot is not counted",
    file: "shared/jobs/job-slots.ts",
    from: "running: running - held +",
    to: "running: running +",
  },
  { name: "one slot too many", file: "shared/jobs/job-slots.ts", from: "runningMax - running)", to: "runningMax - running + 1)" },
  {
    name: "no dispatch mark on a job that gets a slot",
    file: STATE,
    from: "placed: true, dispatch: true,",
    to: "placed: true, dispatch: false,",
  },
  {
    name: "no dispatch mark on the next step",
    seed: 22,
    file: STATE,
    from: "step: job.step + 1,\n    dispatch: true,",
    to: "step: job.step + 1,\n    dispatch: false,",
  },
  {
    name: "progress as reported by the warehouse",
    file: STATE,
    from: "Math.max(job.progress, Math.min(99, Math.floor(progress)))",
    to: "Math.min(99, Math.floor(progress))",
  },
  { name: "every failure is retried", seed: 16, file: STATE, from: "if (failure.isRetryable && ", to: "if (" },
  { name: "unlimited attempts", seed: 22, file: STATE, from: " && job.attempt < ATTEMPTS_MAX)", to: ")" },
  {
    name: "no leftovers",
    file: STATE,
    from: 'leftovers: job.startedAt !== null && (status !== "completed" || job.attempt > 1),',
    to: "leftovers: false,",
  },
  { name: "expired results are no leftovers", file: STATE, from: 'status: "expired", leftovers: true,', to: 'status: "expired",' },
  {
    name: "a warehouse id for each step",
    file: "shared/aggregation/stages.ts",
    from: "{ id: ids.summary,",
    to: "{ id: [ids.summary, job.step].join(),",
  },
  {
    name: "the manifest before the files",
    file: RUN,
    from: "  const outcome = await runAttempt(",
    to: `  if (job.request.full) await publish(job, query, ${NO_RESULT}, context);\n  const outcome = await runAttempt(`,
  },
  {
    name: "a retried attempt writes to the same files",
    file: "shared/aggregation/export-path.ts",
    from: "part-$" + "{attempt}-`",
    to: "part-`",
  },
  {
    name: "changed data goes undetected",
    file: RUN,
    from: "if (job.request.full && !isExported(job, summary, bills))",
    to: "if (rules === undefined)",
  },
  {
    name: "further queries for a finished job",
    seed: 338,
    file: "shared/aggregation/run-attempt.ts",
    from: "if (finished > 0 && !(await isStillCurrent()))",
    to: "if (finished > 9)",
  },
  {
    name: "a slot is handed on without a delivery",
    seed: 95,
    file: "shared/aggregation/after-transition.ts",
    from: "[job, ...promoted]",
    to: "[job]",
  },
  {
    name: "parts of lost attempts stay",
    file: "shared/aggregation/clean-up.ts",
    from: "exports.remove(partPrefix(location, attempt), isManifest)",
    to: "attempt",
  },
  {
    name: "queries of lost attempts keep running",
    seed: 7,
    file: "shared/aggregation/clean-up.ts",
    from: "warehouse.cancel(id)",
    to: "id",
  },
  {
    name: "the sweeper sends no lost delivery again",
    file: SWEEP,
    from: "if (late) await inTrace(late.traceparent, () => topic.publish(jobMessageOf(late)));",
    to: "",
  },
  { name: "the sweeper stops no job past its deadline", seed: 7, file: SWEEP, from: "stopOverdue(current, now())", to: "undefined" },
  {
    name: "a job that is over keeps its reservation",
    file: BYTES,
    from: "reserved: isOver ? 0 : bytes.reserved",
    to: "reserved: bytes.reserved",
  },
  {
    name: "a bill is added to the reservation",
    file: BYTES,
    from: "counted + bytesOf(after) - bytesOf(before)",
    to: "counted + bytesOf(after)",
  },
  {
    name: "a job is released before its bill is known",
    file: STATE,
    from: "bytes: job.startedAt === null ? released(job.bytes) : job.bytes,",
    to: "bytes: released(job.bytes),",
  },
  { name: "only the first attempt's bill counts", file: SETTLE, from: "length: job.attempt }", to: "length: 1 }" },
  {
    name: "a query that runs counts as not billed",
    file: SETTLE,
    from: "if (bill === undefined) return undefined;\n    bytes",
    to: "if (bill === undefined) continue;\n    bytes",
  },
  { name: "the sweeper settles no bill", file: SWEEP, from: "if (!(await settleBytes(job, context))) return;", to: "" },
  {
    name: "what is reserved today is not taken off the limit",
    file: "shared/budgets/day-bytes.ts",
    from: "limits.bytesPerDay - bytesOn(bytesToday, instant)",
    to: "limits.bytesPerDay",
  },
  { name: "the sweeper cleans nothing up", file: SWEEP, from: "markCleanedUp(current, now())", to: "undefined" },
];

export const JOB_MUTANTS: readonly Mutant[] = MUTANTS.map((mutant) => ({ ...mutant, subject: "jobs" }));
