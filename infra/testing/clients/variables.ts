import type { CheckContext } from "./client.ts";

/** The variables of the shell in the part of functions/README.md about the warehouse, for programs that follow it. */
export function warehouseVariables({ ready, customer, other }: CheckContext): Record<string, string> {
  return {
    BIGQUERY: ready.bigquery_endpoint,
    PROJECT: ready.project,
    DATASET: customer.dataset,
    TOKEN: customer.warehouseToken,
    OTHER_DATASET: other.dataset,
  };
}
