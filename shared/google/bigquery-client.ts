import { BigQuery, type BigQueryOptions } from "@google-cloud/bigquery";
import type { Config } from "../runtime/config.ts";

/** A BigQuery client of the deployment: the cloud's, or the one at the configured address. */
export function bigqueryClient({ project, addresses }: Config, options: Pick<BigQueryOptions, "location" | "maxRetries"> = {}): BigQuery {
  return new BigQuery({ projectId: project, ...options, ...(addresses.bigquery ? { apiEndpoint: addresses.bigquery } : {}) });
}
