import { BigQuery, type BigQueryOptions } from "@google-cloud/bigquery";
import type { Config } from "../runtime/config.ts";
import { httpCredentials } from "./access-token.ts";

/** Returns a BigQuery client for the deployment: the cloud service, or the configured address. */
export function bigqueryClient(config: Config, options: Pick<BigQueryOptions, "location" | "maxRetries"> = {}): BigQuery {
  const { project, addresses } = config;
  const address = addresses.bigquery ? { apiEndpoint: addresses.bigquery } : {};
  return new BigQuery({ projectId: project, ...options, ...address, ...httpCredentials(config) });
}
