import { reasonOf, statusOf } from "../cloud/client-error.ts";
import type { Outcome } from "../cloud/warehouse.ts";

/** An attempt that failed. `reason` is BigQuery's own word, or one of the service's: `dataChanged`, `countryNotOffered`. */
export type Failed = Extract<Outcome, { readonly state: "failed" }>;

/** Errors that another try may not meet. Source: https://cloud.google.com/bigquery/docs/error-messages */
const WORTH_REPEATING = new Set([
  "backendError",
  "dataChanged",
  "internalError",
  "jobBackendError",
  "jobInternalError",
  "jobRateLimitExceeded",
  "quotaExceeded",
  "rateLimitExceeded",
  "resourceInUse",
  "tableUnavailable",
]);

export function isWorthRepeating(reason: string): boolean {
  return WORTH_REPEATING.has(reason);
}

/**
 * The warehouse's refusal to start a job, as the failure of its attempt. Undefined when the same start may succeed later (too many requests,
 * a fault of the service or of the way to it): then there is no warehouse job yet and the attempt goes on.
 */
export function refusal(error: unknown): Failed | undefined {
  const status = statusOf(error);
  const reason = reasonOf(error);
  const isFinal = (status === 400 || status === 403 || status === 404) && reason !== undefined && !isWorthRepeating(reason);
  return isFinal ? { state: "failed", reason, message: String(error) } : undefined;
}

/** What a customer is told of a failure: what to do, never the warehouse's own text. */
export function customerText(reason: string): string {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  if (reason === "countryNotOffered") return "The country is not offered any more";
  if (reason === "dataChanged") return "The data of these days kept being corrected while it was read; please submit the job again later";
  return "The job failed inside the service; please submit it again, and name the job to support if it fails again";
}
