import { readdirSync, readFileSync } from "node:fs";
import type { BigQueryServer } from "./bigquery/server.ts";

const WAREHOUSE = new URL("../warehouse/", import.meta.url);
const DATASETS = "datasets.sql";

/** Creates the datasets and tables of `infra/warehouse` in a local BigQuery, as Terraform does in the cloud. */
export async function makeTables(bigquery: Pick<BigQueryServer, "applyDdl">): Promise<void> {
  const tables = readdirSync(WAREHOUSE).filter((name) => name.endsWith(".sql") && name !== DATASETS);
  for (const name of [DATASETS, ...tables.sort()]) await bigquery.applyDdl(readFileSync(new URL(name, WAREHOUSE), "utf8"));
}
