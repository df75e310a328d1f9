import type { Mutant } from "./mutant.ts";

const STATE = "shared/jobs/job-state.ts";
const RUN = "shared/aggregation/run-job.ts";
const SWEEP = "shared/aggregation/sweep-jobs.ts";
const NO_RESULT = "{ meta: { suppressed_rows: 0, unknown_ids: [], k: 5 }, totalRows: 0, dataVersions: [], preview: null, files: null }";

/** The guards of the job path, each of them broken. */
const MUTANTS: readonly Omit<Mutant, "subject">[] = [
  { name: "a delivery of another attempt counts", file: STATE, from: " && job.attempt === delivery.attempt", to: "" },
  { name: "a delivery of another step counts", file: STATE, from: " && job.step === delivery.step", to: "" },
  { name: "a job that is over can be cancelled", file: STATE, from: "return isOver(job) ? undefined : end(job,", to: "return end(job," },
  {
    name: "a dead letter counts, however old",
    file: STATE,
    from: 'return isCurrent(job, delivery) ? { ...end(job, "failed", now), error: UNDELIVERABLE }',
    to: 'return !isOver(job) ? { ...end(job, "failed", now), error: UNDELIVERABLE }',
  },
  { name: "a job that ends keeps its place", file: STATE, from: "placed: false,\n    dispatch: false,", to: "dispatch: false," },
  {
    name: "a place that is left is not counted",
    file: "shared/jobs/job-slots.ts",
    from: "running: running - held +",
    to: "running: running +",
  },
  { name: "one place too many", file: "shared/jobs/job-slots.ts", from: "runningMax - running)", to: "runningMax - running + 1)" },
  {
    name: "no dispatch mark on who gets a place",
    file: STATE,
    from: "placed: true, dispatch: true,",
    to: "placed: true, dispatch: false,",
  },
  {
    name: "no dispatch mark on the next step",
    file: STATE,
    from: "step: job.step + 1,\n    dispatch: true,",
    to: "step: job.step + 1,\n    dispatch: false,",
  },
  {
    name: "progress as the warehouse tells it",
    file: STATE,
    from: "Math.max(job.progress, Math.min(99, Math.floor(progress)))",
    to: "Math.min(99, Math.floor(progress))",
  },
  { name: "every failure is worth an attempt", file: STATE, from: "if (failure.isRetryable && ", to: "if (" },
  { name: "attempts without end", file: STATE, from: " && job.attempt < ATTEMPTS_MAX)", to: ")" },
  {
    name: "no leftovers",
    file: STATE,
    from: 'leftovers: job.startedAt !== null && (status !== "completed" || job.attempt > 1),',
    to: "leftovers: false,",
  },
  { name: "expired results are not left over", file: STATE, from: 'status: "expired", leftovers: true,', to: 'status: "expired",' },
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
    name: "a retried attempt writes to the same place",
    file: "shared/aggregation/export-path.ts",
    from: "part-$" + "{attempt}-`",
    to: "part-`",
  },
  {
    name: "data that changed meanwhile goes unnoticed",
    file: RUN,
    from: "if (JSON.stringify(versionsAfter.data_versions) !== JSON.stringify(summary.data_versions))",
    to: "if (rules === undefined)",
  },
  {
    name: "further queries for a job that is over",
    file: "shared/aggregation/run-attempt.ts",
    from: "if (finished > 0 && !(await isStillCurrent()))",
    to: "if (finished > 9)",
  },
  {
    name: "a place that is handed on without a delivery",
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
  { name: "queries of lost attempts run on", file: "shared/aggregation/clean-up.ts", from: "warehouse.cancel(id)", to: "id" },
  { name: "the sweeper sends no lost delivery again", file: SWEEP, from: "if (late) await topic.publish(messageOf(late));", to: "" },
  { name: "the sweeper stops no job past its deadline", file: SWEEP, from: "stopOverdue(current, now())", to: "undefined" },
  { name: "the sweeper clears nothing up", file: SWEEP, from: "markCleanedUp(current, now())", to: "undefined" },
];

export const JOB_MUTANTS: readonly Mutant[] = MUTANTS.map((mutant) => ({ ...mutant, subject: "jobs" }));
