import * as v from "valibot";
import { provisionDatasets } from "../../../scripts/admin/local/datasets.ts";
import { readKnowledge } from "../fuzz/knowledge.ts";
import { createTriedCustomer, type Target } from "../fuzz/target.ts";
import { newParty, type Party } from "./party.ts";

/** One uid is a prefix of the other, as are the folders, datasets and service accounts named after them. */
const UIDS = ["isolation1", "isolation10"] as const;
const MARKERS = ["markerone", "markerten"] as const;

const TYPES = ["admin_level_2", "grid_1000m"];

const Login = v.object({ accessToken: v.string() });

/** Creates the two customers, each with its datasets, its tokens and its own half of Estonia's geographies. */
export async function makeParties(target: Target, today: Date): Promise<readonly [Party, Party]> {
  return [await makeParty(target, today, 0), await makeParty(target, today, 1)];
}

async function makeParty(target: Target, today: Date, index: 0 | 1): Promise<Party> {
  const { ready, config } = target;
  const customer = await createTriedCustomer(target, { uid: UIDS[index], keyLabel: `${MARKERS[index]}-main` });
  await provisionDatasets(config, ready.bigquery_endpoint, customer.uid);
  const { geoIds } = await readKnowledge(target, customer, today);
  // Two types whose ids never coincide: a 250 m cell has the id of the 1,000 m cell whose corner it shares.
  const halves = TYPES.map((type) => [type, geoIds[type]?.filter((_id, place) => place % 2 === index) ?? []] as const);
  const token = async (service: string): Promise<string> => {
    const headers = { "x-api-key": customer.key, "content-type": "application/json" };
    const answer = await fetch(`${ready.users_base_url}/login-with-apikey`, { method: "POST", headers, body: JSON.stringify({ service }) });
    return v.parse(Login, await answer.json()).accessToken;
  };
  const tokens = { storage: await token("storage"), warehouse: await token("warehouse") };
  return newParty({ customer, marker: MARKERS[index], geoIds: Object.fromEntries(halves), tokens });
}
