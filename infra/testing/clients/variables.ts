import type { CheckContext } from "./client.ts";
import type { ExportedJob } from "./exported-job.ts";

const DAY_MS = 86_400_000;

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

/** The variables of the shell from functions/README.md's first lines on: the two APIs, a key, and a day that has data. */
export function shellVariables({ ready, customer }: CheckContext): Record<string, string> {
  const day = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
  return { KEY: customer.keys.storage ?? "", USERS: ready.users_base_url, DATA: ready.data_base_url, DAY: day };
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
