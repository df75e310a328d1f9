import { BigQuery, type BigQueryOptions } from "@google-cloud/bigquery";
import type { Config } from "../runtime/config.ts";
import { httpCredentials } from "./access-token.ts";

const clients = new Map<string, BigQuery>();

/**
 * Returns the process's only BigQuery client for an account and these options: the cloud service, or the configured address. Each client asks for a
 * token of its own.
 */
export function bigqueryClient(config: Config, options: Pick<BigQueryOptions, "location" | "maxRetries"> = {}): BigQuery {
  const { project, addresses, accessToken } = config;
  const key = JSON.stringify([project, addresses.bigquery, accessToken, options.location, options.maxRetries]);
  const known = clients.get(key);
  if (known) return known;
  const address = addresses.bigquery ? { apiEndpoint: addresses.bigquery } : {};
  const client = new BigQuery({ projectId: project, ...options, ...address, ...httpCredentials(config) });
  clients.set(key, client);
  return client;
}
