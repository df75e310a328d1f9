import type { Outcome } from "../google/bigquery.ts";
import { classifyError, classifyReason } from "../google/classify-error.ts";
import { errorReason } from "../google/client-error.ts";
import { tooLargeText } from "../http/dependency-errors.ts";

/** An attempt that failed. `reason` is BigQuery's reason, or one of the service's: `dataChanged`, `countryNotOffered`. */
export type AttemptFailure = Extract<Outcome, { readonly state: "failed" }>;

/**
 * Maps the warehouse's refusal to start a job to a failure of its attempt. Undefined when the same start may succeed later (too many
 * requests, an error of the service or the network): then no warehouse job exists yet and the attempt continues.
 */
export function startFailure(error: unknown): AttemptFailure | undefined {
  const reason = errorReason(error);
  return reason !== undefined && classifyError(error) === "permanent" ? { state: "failed", reason, message: String(error) } : undefined;
}

/** Returns whether another attempt may succeed after a failure for this reason. Unknown reasons are not retried: an attempt costs money. */
export function isRetryable(reason: string): boolean {
  return reason === "dataChanged" || classifyReason(reason) === "retryable";
}

/** Returns the customer's error text: what to do, never the warehouse's own text. */
export function customerMessage(reason: string): string {
  const tooLarge = tooLargeText(reason);
  if (tooLarge !== undefined) return tooLarge;
  if (reason === "countryNotOffered") return "The country is not offered any more";
  if (reason === "dataChanged") return "The data of these days kept being corrected while it was read; please submit the job again later";
  return "The job failed inside the service; please submit it again, and name the job to support if it fails again";
}
