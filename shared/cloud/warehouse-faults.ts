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

/** Whether another try may succeed after an error of the warehouse, by BigQuery's own word for it. */
export function isWorthRepeating(reason: string): boolean {
  return WORTH_REPEATING.has(reason);
}

/** What a customer is told of a request that is too large for the warehouse; undefined for any other error. */
export function tooLargeText(reason: string): string | undefined {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  return undefined;
}
