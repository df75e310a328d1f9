import { readFileSync } from "node:fs";
import { BigQuery } from "@google-cloud/bigquery";
import { setPersonalDataset } from "../../../shared/accounts/customers-admin.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import type { Config } from "../../../shared/runtime/config.ts";

/** Creates a customer's views in the warehouse: its personal dataset and the view behind its EU listing. Returns the dataset's name. */
export async function provisionDatasets(config: Pick<Config, "project">, bigqueryUrl: string, uid: string): Promise<string> {
  const bigquery = new BigQuery({ projectId: config.project, apiEndpoint: bigqueryUrl });
  for (const [file, location] of [
    ["realtime_data", "europe-north1"],
    ["target_country_summary_view_customer", "EU"],
  ]) {
    const script = readFileSync(new URL(`../../../infra/warehouse/customer/${file}.sql`, import.meta.url), "utf8").replaceAll("{uid}", uid);
    await bigquery.query({ query: script, ...(location === undefined ? {} : { location }) });
  }
  return `customer_${uid}`;
}

/** Creates the personal dataset that a customer has requested, as an operator does in the cloud, and records that it is ready. */
export async function createRequestedDataset(config: Config, bigqueryAddress: string, uid: string): Promise<void> {
  const dataset = await provisionDatasets(config, `http://${bigqueryAddress}`, uid);
  await setPersonalDataset(firestore(config), uid, dataset);
}
