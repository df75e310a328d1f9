import type { Outcome } from "../cloud/warehouse.ts";

/** Errors of a warehouse job that another attempt may not meet. Source: https://cloud.google.com/bigquery/docs/error-messages */
const WORTH_REPEATING = new Set([
  "backendError",
  "internalError",
  "jobBackendError",
  "jobInternalError",
  "jobRateLimitExceeded",
  "rateLimitExceeded",
  "resourceInUse",
  "tableUnavailable",
]);

export function isWorthRepeating(reason: string): boolean {
  return WORTH_REPEATING.has(reason);
}

/** What a customer is told of a warehouse error: what to do, never the warehouse's own text. */
export function customerText(reason: string): string {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  return "The job failed inside the service; please submit it again, and name the job to support if it fails again";
}

/** How several warehouse jobs of one attempt stand as one: failed if any failed, done when all are, else their mean progress. */
export function combine(outcomes: readonly Outcome[]): Outcome {
  const failed = outcomes.find((outcome) => outcome.state === "failed");
  if (failed) return failed;
  const running = outcomes.some((outcome) => outcome.state === "running");
  const first = outcomes[0];
  if (!running && first) return first;
  const progress = outcomes.map((outcome) => (outcome.state === "running" ? outcome.progress : 100));
  return { state: "running", progress: progress.reduce((sum, value) => sum + value, 0) / Math.max(1, progress.length) };
}
