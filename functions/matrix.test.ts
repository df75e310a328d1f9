import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { parametersOf, pathOf, sampleOf } from "../infra/testing/sample-request.ts";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";
import type { Endpoint } from "../shared/http/define-endpoint.ts";
import { shapesOf } from "../shared/http/unknown-fields.ts";
import { config } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

/** Keys of one customer that each lack one permission, and of another customer who has a map and a job. */
const full = { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } as const;
const KEYS = {
  full,
  rotated: full,
  no_scope: { ...full, scopes: [] },
  no_admin: { ...full, machineAccountAdmin: false },
  storage: { ...full, service: "storage" },
} as const;
const COUNTRIES = { countries: ["EST"], defaultCountry: "EST" };
const customer = await newCustomer({ keys: KEYS, ...COUNTRIES });
const other = await newCustomer({ keys: { full }, ...COUNTRIES });
const key = (name: keyof typeof KEYS): string => keyOf(customer, name);

const Created = v.object({ id: v.optional(v.string()), job_id: v.optional(v.string()) });
async function objectsOf(of: typeof customer): Promise<Record<string, string>> {
  const own = keyOf(of, "full");
  const map = { name: "A map", type: "admin_level_2", ids: [784] };
  const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
  const job = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };
  const { id = "" } = v.parse(Created, (await call("users", "POST", "/admin/maps", { key: own, body: map })).body);
  const { job_id = "" } = v.parse(Created, (await call("data", "POST", "/data-agg", { key: own, body: job })).body);
  const keyLabel = "bystander";
  await call("users", "POST", `/users/${of.uid}/machine-accounts`, { key: own, body: { keyLabel } });
  return { id, map_id: id, job_id, uid: of.uid, keyLabel };
}
const [mine, theirs] = await Promise.all([objectsOf(customer), objectsOf(other)]);
await call("users", "POST", `/users/${customer.uid}/machine-accounts`, { key: key("full"), body: { keyLabel: "rotated" } });

/** Each form of a request that an endpoint accepts: its query or its body, with `changes` to the members that it has. */
function requestsOf(endpoint: Endpoint, objects: Record<string, string>, changes: Record<string, unknown> = {}) {
  const isQuery = endpoint.method === "GET" || endpoint.method === "DELETE";
  const part = isQuery ? endpoint.query : endpoint.body;
  const shapes = shapesOf(part);
  return (shapes.length > 0 ? shapes : [{}]).map((shape) => {
    const known = Object.entries({ ...objects, ...changes }).filter(([name]) => name in shape && (name in changes || name === "map_id"));
    const members = { ...sampleOf(part, shape), ...Object.fromEntries(known) };
    const query = isQuery
      ? `?${new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)]))}`
      : "";
    const names = v.is(part, members) ? Object.keys(shape) : Object.keys(shape).filter((name) => !(name in changes));
    return { path: pathOf(endpoint, objects) + query, body: isQuery ? undefined : members, members: names };
  });
}

function send(endpoint: Endpoint, { path, body }: { path: string; body: object | undefined }, as: string | undefined) {
  return call(endpoint.api, endpoint.method, path, { key: as, body });
}

const guarded = catalogue.flatMap((endpoint) => (endpoint.auth === "none" ? [] : [[endpoint.name, endpoint, endpoint.auth] as const]));
const UNAUTHENTICATED = { status: 401, body: { code: "unauthenticated" } };
/** Not a scheme for which browsers ask for a password. */
const CHALLENGE = 'ApiKey realm="populus", in="header", name="x-api-key"';
const DENIED = { status: 403, body: { code: "permission_denied" } };

describe.each(guarded)("%s", (_name, endpoint, auth) => {
  it.each([
    ["no key", undefined],
    ["a malformed key", "g".repeat(64)],
    ["a valid key in upper case", key("full").toUpperCase()],
    ["an unknown key", "0".repeat(64)],
    ["a revoked key", key("rotated")],
  ])("answers %s with 401, whatever is sent", async (_kind, as) => {
    for (const request of requestsOf(endpoint, mine)) {
      const answer = await send(endpoint, request, as);
      expect(answer).toMatchObject(UNAUTHENTICATED);
      expect(answer.headers.get("www-authenticate")).toBe(CHALLENGE);
    }
  });

  it("answers a key of the development environment in production with 401", async () => {
    const served = await serveInProcess({ endpoint, config: { ...config(), environment: "prod" } });
    for (const { path, body } of requestsOf(endpoint, mine))
      expect(await served.call({ key: key("full"), path, ...(body ? { body } : {}) })).toMatchObject(UNAUTHENTICATED);
    await served.close();
  });

  it("answers a missing scope or admin access with 403 if it requires one, and only then", async () => {
    for (const request of requestsOf(endpoint, theirs)) {
      const scope = await send(endpoint, request, key("no_scope"));
      if (auth.scope) expect(scope).toMatchObject(DENIED);
      else expect(scope.status).not.toBe(403);
      const access = await send(endpoint, request, key("no_admin"));
      if (auth.machineAccountAdmin) expect(access).toMatchObject(DENIED);
      else expect(access.status).not.toBe(403);
    }
  });

  it("answers a request for another customer's resource like one for a missing resource", async () => {
    for (const request of requestsOf(endpoint, theirs)) {
      const names = [...parametersOf(endpoint), ...request.members.filter((name) => name === "map_id")];
      for (const name of names) expect(theirs, `the test has no ${name} of another customer`).toHaveProperty(name);
      if (names.length === 0) continue;
      const nothing = requestsOf(endpoint, { map_id: "00000000000000000000" });
      const answer = await send(endpoint, request, key("full"));
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
      const plain = await Promise.all(nothing.map((unknown) => send(endpoint, unknown, key("full"))));
      for (const unknown of plain) expect({ ...Object(unknown.body), request_id: "" }).toEqual({ ...Object(answer.body), request_id: "" });
    }
  });

  it("answers a country that the key does not cover with 403, if it accepts one", async () => {
    for (const request of requestsOf(endpoint, mine, { country_code: "NOR", country: "NOR" }))
      if (request.members.some((name) => name === "country_code" || name === "country"))
        expect(await send(endpoint, request, key("full")), JSON.stringify(request)).toMatchObject(DENIED);
  });

  it("answers a profile beyond the key's with 403, if it accepts one", async () => {
    for (const request of requestsOf(endpoint, mine, { service: "warehouse" }))
      if (request.members.includes("service")) expect(await send(endpoint, request, key("storage"))).toMatchObject(DENIED);
  });
});
