/** What a customer is told of a request that is too large for the warehouse, by BigQuery's reason; undefined for any other error. */
export function tooLargeText(reason: string): string | undefined {
  if (reason === "bytesBilledLimitExceeded") return "The request would read more data than one job may; ask for fewer days or geographies";
  if (reason === "resourcesExceeded" || reason === "responseTooLarge") return "The result is too large; ask for fewer days or geographies";
  return undefined;
}
