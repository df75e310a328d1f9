import { accountsProjectOf, type PlacedCustomer } from "../../../shared/accounts/accounts-project.ts";
import { setPersonalDataset } from "../../../shared/accounts/customers-admin.ts";
import { personalDatasetName } from "../dataset-names.ts";
import { openGoogleRest } from "../google-rest.ts";
import type { Session } from "../session.ts";

/** Records that a requested personal dataset is ready, if the warehouse has it. Returns whether it has. */
export async function recordReadyDataset({ config, db }: Session, customer: PlacedCustomer): Promise<boolean> {
  const { uid } = customer;
  const project = accountsProjectOf(config, customer);
  const dataset = personalDatasetName(uid);
  const bigquery = config.addresses.bigquery ?? "https://bigquery.googleapis.com";
  const response = await openGoogleRest(config.project)("GET", `${bigquery}/bigquery/v2/projects/${project}/datasets/${dataset}`);
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`The dataset ${dataset} could not be looked up: ${response.status} ${await response.text()}`);
  await setPersonalDataset(db, uid, dataset);
  return true;
}
