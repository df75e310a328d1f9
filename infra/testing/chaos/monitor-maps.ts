import * as v from "valibot";
import type { Ready } from "../../local/ready-file.ts";
import type { Random } from "../simulation/random.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { StubbornAnswer, StubbornClient } from "./stubborn-client.ts";

export interface MonitoredMap {
  readonly id: string;
  readonly customer: ChaosCustomer;
}

const Created = v.object({ id: v.string() });
const Listed = v.object({ maps: v.array(v.object({ id: v.string(), name: v.string() })) });

/** Creates a square map near Tallinn or Tartu and has it monitored, retrying each call. Throws when the service refuses a call. */
export async function monitorMap(
  ready: Ready,
  client: StubbornClient,
  { customer, index, random }: { readonly customer: ChaosCustomer; readonly index: number; readonly random: Random },
): Promise<MonitoredMap> {
  const { key } = customer;
  const name = `Square ${index}`;
  const url = `${ready.users_base_url}/admin/maps`;
  // Maps have no Idempotency-Key: a client without a response checks whether the map exists.
  const isThere = async (): Promise<StubbornAnswer | undefined> => {
    const { body } = await client.call({ method: "GET", url, key });
    const found = v.parse(Listed, body).maps.find((map) => map.name === name);
    return found && { status: 201, body: { id: found.id } };
  };
  const body = { name, type: "custom_polygon", geometry: square(random) };
  const created = expect(201, await client.call({ method: "POST", url, key, body }, isThere));
  const { id } = v.parse(Created, created);
  const toggle = { map_id: id, enable: true };
  expect(200, await client.call({ method: "POST", url: `${ready.data_base_url}/admin/realtime`, key, body: toggle }));
  return { id, customer };
}

function square(random: Random): string {
  const [lon, lat] = random.pick([
    [24.7, 59.42],
    [26.7, 58.36],
  ]);
  const [west, south] = [(lon ?? 0) + random.next() / 20, (lat ?? 0) + random.next() / 50];
  const [east, north] = [west + 0.02, south + 0.01];
  const points = [west, east, east, west, west].map(
    (x, corner) => `${x.toFixed(5)} ${(corner < 2 || corner === 4 ? south : north).toFixed(5)}`,
  );
  return `POLYGON ((${points.join(", ")}))`;
}

function expect(wanted: number, { status, body }: StubbornAnswer): unknown {
  if (status !== wanted) throw new Error(`${wanted} was expected, not ${status}: ${JSON.stringify(body)}`);
  return body;
}
