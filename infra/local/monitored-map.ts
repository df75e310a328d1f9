import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import type { HistoryOf } from "./sample/history.ts";
import { MONITORED_MAP } from "./sample/monitored-map.ts";

const Maps = v.object({ maps: v.array(v.object({ id: v.string(), name: v.string() })) });
const Saved = v.object({ id: v.string() });

/** How often a call is tried, and how long after a failure: functions that crashed took more than 20 seconds to run again on a busy machine. */
const TRIES = 600;
const AGAIN_MS = 100;

/** Where the service answers. */
interface Addresses {
  readonly users: string;
  readonly data: string;
}

/**
 * Creates the map that a sample customer monitors, through the public API, and switches its monitoring on. If an earlier try or a killed
 * start has already created it, it stays. Returns whose history to add. Throws the last error if every try fails, or one does after the signal.
 */
export async function createMonitoredMap(customer: LocalCustomer, addresses: Addresses, signal?: AbortSignal): Promise<HistoryOf> {
  for (let tries = 1; ; tries++) {
    try {
      return await create(customer, addresses);
    } catch (error) {
      if (tries === TRIES || signal?.aborted) throw error;
      await wait(AGAIN_MS);
    }
  }
}

async function create({ uid, keys }: LocalCustomer, { users, data }: Addresses): Promise<HistoryOf> {
  const { maps } = v.parse(Maps, await send(keys.storage, `${users}/admin/maps`));
  const known = maps.find(({ name }) => name === MONITORED_MAP.name);
  const { id } = known ?? v.parse(Saved, await send(keys.storage, `${users}/admin/maps`, MONITORED_MAP));
  await send(keys.storage, `${data}/admin/realtime`, { map_id: id, enable: true });
  return { uid, mapId: id };
}

async function send(key: string | undefined, url: string, body?: object): Promise<unknown> {
  const headers = { "x-api-key": key ?? "", ...(body && { "content-type": "application/json" }) };
  const response = await fetch(url, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`The sample's map could not be monitored: ${response.status} ${await response.text()}`);
  return response.json();
}
