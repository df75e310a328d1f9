import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { catalogue } from "./catalogue.ts";
import { examples } from "./examples.ts";

const KEYS = { admin: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } } as const;
const customer = await newCustomer({ keys: KEYS, allow: { scopes: ["realtime"], profiles: ["storage", "warehouse"] } });
/** What an earlier request of the customer made: the example's is another's. The customer's own id is known. */
const MADE = ["id", "map_id", "job_id"];

/** Returns each request that an endpoint's examples document, with the customer's own id. None if it needs an id of something made before. */
function documented({ name, path }: Endpoint): [string, string, object | undefined][] {
  const { path: params = {}, query = {}, bodies = {} } = examples[name] ?? {};
  const given: Record<string, unknown> = { ...params, ...("uid" in params ? { uid: customer.uid } : {}) };
  const search = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]));
  const address = `${path.replaceAll(/\{(\w+)\}/g, (_all, key: string) => String(given[key]))}${search.size > 0 ? `?${search}` : ""}`;
  const requests = Object.keys(bodies).length > 0 ? Object.entries(bodies) : [["alone", undefined] as const];
  return requests.flatMap(([title, body]) =>
    MADE.some((member) => member in { ...params, ...query, ...body })
      ? []
      : [[title, address, body] as [string, string, object | undefined]],
  );
}

const sent = catalogue.flatMap((endpoint) =>
  documented(endpoint).map(([title, path, body]) => [`${endpoint.name}, ${title}`, endpoint, path, body] as const),
);

describe("a documented request, which people try first, succeeds on the sample data", () => {
  // In the catalogue's order: an account is created before it is changed and removed.
  it.each(sent)("%s", async (_name, { api, method }, path, body) => {
    const answer = await call(api, method, path, { key: keyOf(customer, "admin"), body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeGreaterThanOrEqual(200);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  });

  it("is known of most endpoints", () => {
    expect(new Set(sent.map(([, { name }]) => name)).size).toBeGreaterThan(catalogue.length / 2);
  });
});
