import { BigQuery, type BigQueryOptions } from "@google-cloud/bigquery";
import type { Config } from "../runtime/config.ts";

/** Returns a BigQuery client for the deployment: the cloud service, or the configured address. */
export function bigqueryClient({ project, addresses }: Config, options: Pick<BigQueryOptions, "location" | "maxRetries"> = {}): BigQuery {
  return new BigQuery({ projectId: project, ...options, ...(addresses.bigquery ? { apiEndpoint: addresses.bigquery } : {}) });
}
