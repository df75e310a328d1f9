import { BigQuery } from "@google-cloud/bigquery";
import type { Config } from "../../../shared/runtime/config.ts";
import { datasetDefinitions } from "./dataset-definitions.ts";

/** Creates a customer's views in the warehouse: its personal dataset and the view behind its EU listing. Returns the dataset's name. */
export async function provisionDatasets(config: Pick<Config, "project">, bigqueryUrl: string, uid: string): Promise<string> {
  const bigquery = new BigQuery({ projectId: config.project, apiEndpoint: bigqueryUrl });
  const { dataset, scripts } = datasetDefinitions(uid);
  for (const { sql, location } of scripts) await bigquery.query({ query: sql, location });
  return dataset;
}
