import { BigQuery } from "@google-cloud/bigquery";
import { Compute } from "google-auth-library";
import { ready } from "./service.ts";

/** Opens the real client as the loader, the one account that reads raw counts. */
function loadersWarehouse(): BigQuery {
  const authClient = new Compute({ serviceAccountEmail: `loader@${ready.project}.iam.gserviceaccount.com` });
  return new BigQuery({ projectId: ready.project, location: "europe-north1", apiEndpoint: ready.bigquery_endpoint, authClient });
}

/** Runs a GoogleSQL text as the loader and returns its rows: what was withheld, to compare with what is told. */
export async function runAsLoader(sql: string): Promise<unknown[]> {
  const [rows] = await loadersWarehouse().query({ query: sql, wrapIntegers: false });
  return rows;
}
