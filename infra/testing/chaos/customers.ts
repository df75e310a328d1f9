import { type LocalCustomer, provisionCustomer } from "../../../scripts/admin/local/customers.ts";
import { provisionDatasets } from "../../../scripts/admin/local/datasets.ts";
import { functionsConfig } from "../../local/functions-environment.ts";
import type { Ready } from "../../local/ready-file.ts";

export interface ChaosCustomer {
  readonly uid: string;
  readonly key: string;
}

/** Creates the customers of a run, with default limits. */
export async function chaosCustomers(ready: Ready, number: number): Promise<readonly ChaosCustomer[]> {
  const made = await Promise.all(
    Array.from({ length: number }, (_, index) =>
      provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
        name: `Chaos ${index + 1}`,
        countries: ["EST", "LAT", "NOR"],
        defaultCountry: "EST",
        keys: { storage: { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } },
      }),
    ),
  );
  for (const { uid } of made) await provisionDatasets(functionsConfig(ready.project), ready.bigquery_endpoint, uid);
  return made.map(({ uid, keys }: LocalCustomer) => ({ uid, key: keys.storage ?? "" }));
}
