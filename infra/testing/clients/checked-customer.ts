import * as v from "valibot";
import { provisionCustomer } from "../../../scripts/admin/local/customers.ts";
import { provisionDatasets } from "../../../scripts/admin/local/datasets.ts";
import { LoginResponse } from "../../../shared/accounts/login-schemas.ts";
import { functionsConfig } from "../../local/functions-environment.ts";
import type { Ready } from "../../local/ready-file.ts";
import type { CheckedCustomer } from "./client.ts";

const OLD_TOWN = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";
const Saved = v.object({ id: v.string() });

/**
 * Creates a customer with a monitored map, fires the tick that measures it, and logs it in. The process needs the environment of the
 * service's functions.
 */
export async function createCheckedCustomer(ready: Ready): Promise<CheckedCustomer> {
  const config = functionsConfig(ready.project);
  const grants = { scopes: ["realtime"], machineAccountAdmin: false } as const;
  const { uid, keys } = await provisionCustomer(config, ready.metadata_host, {
    name: "A customer with clients",
    countries: ["EST", "LAT", "NOR"],
    defaultCountry: "EST",
    keys: { storage: { ...grants, service: "storage" }, warehouse: { ...grants, service: "warehouse" } },
  });
  const dataset = await provisionDatasets(config, ready.bigquery_endpoint, uid);
  const key = keys.warehouse ?? "";
  const map = { name: "Vanalinn", type: "custom_polygon", geometry: OLD_TOWN };
  const { id } = v.parse(Saved, await post(`${ready.users_base_url}/admin/maps`, key, map));
  await post(`${ready.data_base_url}/admin/realtime`, key, { map_id: id, enable: true });
  const tick = await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST" });
  if (!tick.ok) throw new Error(`The refresh of headcounts answered ${tick.status}`);
  const token = async (service: "storage" | "warehouse"): Promise<string> =>
    v.parse(LoginResponse, await post(`${ready.users_base_url}/login-with-apikey`, key, { service })).accessToken;
  return { uid, keys, dataset, mapId: id, storageToken: await token("storage"), warehouseToken: await token("warehouse") };
}

async function post(url: string, key: string, body: object): Promise<unknown> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
