import type { Outcome } from "../google/bigquery.ts";
import { classifyError, classifyReason } from "../google/classify-error.ts";
import { errorReason } from "../google/client-error.ts";
import { tooLargeText } from "../http/dependency-errors.ts";

/** An attempt that failed. `reason` is BigQuery's own word, or one of the service's: `dataChanged`, `countryNotOffered`. */
export type AttemptFailure = Extract<Outcome, { readonly state: "failed" }>;

/**
 * The warehouse's refusal to start a job, as the failure of its attempt. Undefined when the same start may succeed later (too many requests,
 * a fault of the service or of the way to it): then there is no warehouse job yet and the attempt goes on.
 */
export function startFailure(error: unknown): AttemptFailure | undefined {
  const reason = errorReason(error);
  return reason !== undefined && classifyError(error) === "permanent" ? { state: "failed", reason, message: String(error) } : undefined;
}

/** Whether another attempt may succeed where one failed for this reason. A reason that nobody knows is not paid for a second time. */
export function isRetryable(reason: string): boolean {
  return reason === "dataChanged" || classifyReason(reason) === "retryable";
}

/** What a customer is told of a failure: what to do, never the warehouse's own text. */
export function customerMessage(reason: string): string {
  const tooLarge = tooLargeText(reason);
  if (tooLarge !== undefined) return tooLarge;
  if (reason === "countryNotOffered") return "The country is not offered any more";
  if (reason === "dataChanged") return "The data of these days kept being corrected while it was read; please submit the job again later";
  return "The job failed inside the service; please submit it again, and name the job to support if it fails again";
}
