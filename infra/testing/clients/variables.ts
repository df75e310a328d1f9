import type { CheckContext } from "./client.ts";
import type { ExportedJob } from "./exported-job.ts";

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

/** The variables of the shell in the part of functions/README.md about a job's files. */
export function storageVariables({ ready, customer, other }: CheckContext, { id }: ExportedJob): Record<string, string> {
  return {
    STORAGE: ready.storage_endpoint,
    BUCKET: ready.export_bucket,
    USER_ID: customer.uid,
    ID: id,
    TOKEN: customer.storageToken,
    OTHER_USER_ID: other.uid,
  };
}
