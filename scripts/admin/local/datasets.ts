import { BigQuery } from "@google-cloud/bigquery";
import { fillTablesOf } from "../../../shared/realtime/fill-customer-table.ts";
import { type Config, parseConfig } from "../../../shared/runtime/config.ts";
import { datasetDefinitions } from "./dataset-definitions.ts";

/**
 * Creates a customer's tables and views in the warehouse: its personal dataset and the view behind its EU listing. Fills the tables with the
 * headcounts that it has. Returns the dataset's name.
 */
export async function provisionDatasets(config: Pick<Config, "project">, bigqueryUrl: string, uid: string): Promise<string> {
  const bigquery = new BigQuery({ projectId: config.project, apiEndpoint: bigqueryUrl });
  const { dataset, scripts } = datasetDefinitions(uid);
  for (const { sql, location } of scripts) await bigquery.query({ query: sql, location });
  const { project } = config;
  const local = { GOOGLE_CLOUD_PROJECT: project, ENVIRONMENT: "local", EXPORT_BUCKET: "exports", BIGQUERY_URL: bigqueryUrl };
  await fillTablesOf(parseConfig(local), uid);
  return dataset;
}
