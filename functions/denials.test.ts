import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { pathOf, sampleOf } from "../infra/testing/sample-request.ts";
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { type Endpoint, METHODS_WITH_BODY } from "../shared/http/define-endpoint.ts";
import { matchPath } from "../shared/http/http-request.ts";
import { shapesOf } from "../shared/http/unknown-fields.ts";
import { catalogue } from "./catalogue.ts";

const UNKNOWN_KEY = "f".repeat(64);
/** A key with all permissions: its requests are rejected only for their content. */
const customer = await newCustomer({ keys: { all: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } } });
const key = keyOf(customer, "all");

/** Sends one request to the function itself, past the router. */
async function callFunction({ name }: Endpoint, method: string, path: string) {
  const response = await fetch(`${ready.functions[name]}${path}`, { method, headers: { "x-api-key": key } });
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body };
}

/** Every response has these headers, from the router and from the functions. */
function expectClosedDoor(headers: Headers): void {
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d+/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("x-powered-by")).toBeNull();
}

/** The methods of all endpoints whose path matches, sorted: `GET /admin/maps/monitored` is also the path of `PUT /admin/maps/{id}`. */
function methodsOfPath(endpoint: Endpoint): string[] {
  const path = pathOf(endpoint);
  const others = catalogue.filter(({ api, path: template }) => api === endpoint.api && matchPath(template, path));
  return [...new Set(others.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))].sort();
}

const withKey = catalogue.filter((endpoint) => endpoint.auth !== "none");
const withBody = catalogue.filter(({ method }) => METHODS_WITH_BODY.includes(method));

describe.each(withKey.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_name, endpoint) => {
  it.each([
    ["no key", undefined],
    ["a malformed key", "not-a-key"],
    ["an unknown key", UNKNOWN_KEY],
  ])("answers %s with the same 401", async (_kind, given) => {
    const answer = await call(endpoint.api, endpoint.method, pathOf(endpoint), { key: given });
    expect(answer).toMatchObject({
      status: 401,
      body: {
        code: "unauthenticated",
        detail: "A valid API key is required in the header x-api-key; the token of a login opens only Cloud Storage and BigQuery",
        request_id: answer.headers.get("x-request-id"),
      },
    });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  it("rejects an unknown query parameter by name", async () => {
    const answer = await call(endpoint.api, endpoint.method, `${pathOf(endpoint)}?geo_idz=1`, { key });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: "/geo_idz", detail: expect.stringMatching(/^is not a known field/) }),
        ]),
      },
    });
  });

  it("has the security headers", async () => {
    expectClosedDoor((await call(endpoint.api, endpoint.method, pathOf(endpoint))).headers);
  });
});

/** A method that no function on the endpoint's path has. */
function otherMethod({ api, path }: Endpoint): string {
  const taken = catalogue.filter((other) => other.api === api && matchPath(other.path, path)).map(({ method }) => method);
  return (["PATCH", "PUT", "DELETE"] as const).find((method) => !taken.includes(method)) ?? "TRACE";
}

describe.each(catalogue.map((endpoint) => [endpoint.name, endpoint] as const))("the path of %s", (_name, endpoint) => {
  it("supports no other method: a 405 of the router lists all supported ones", async () => {
    const { status, headers, body } = await call(endpoint.api, otherMethod(endpoint), pathOf(endpoint), { key });
    expect({ status, body }).toMatchObject({ status: 405, body: { code: "method_not_allowed", request_id: headers.get("x-request-id") } });
    expect(headers.get("allow")?.split(", ")).toEqual(methodsOfPath(endpoint));
    expectClosedDoor(headers);
  });

  it("supports no other method: a 405 of the function names its own", async () => {
    const { status, headers, body } = await callFunction(endpoint, otherMethod(endpoint), pathOf(endpoint));
    expect({ status, body }).toMatchObject({ status: 405, body: { code: "method_not_allowed", request_id: headers.get("x-request-id") } });
    expect(headers.get("allow")).toBe(endpoint.method === "GET" ? "GET, HEAD" : endpoint.method);
    expectClosedDoor(headers);
  });

  it("answers OPTIONS with the same 405, since no origin is allowed", async () => {
    const { status, headers } = await call(endpoint.api, "OPTIONS", pathOf(endpoint), { headers: { origin: "https://else.example" } });
    expect({ status, allow: headers.get("allow")?.split(", ") }).toEqual({ status: 405, allow: methodsOfPath(endpoint) });
  });

  it("is the only one of its function", async () => {
    const { status, headers, body } = await callFunction(endpoint, endpoint.method, "/nowhere");
    const detail = expect.stringMatching(/^There is no such path/);
    expect({ status, body }).toMatchObject({ status: 404, body: { code: "not_found", detail } });
    expectClosedDoor(headers);
  });
});

const withGet = catalogue.filter(({ method }) => method === "GET");

describe.each(withGet.map((endpoint) => [endpoint.name, endpoint] as const))("HEAD of %s", (_name, endpoint) => {
  it.each(["router", "function"])("answers through the %s like GET, without a body", async (by) => {
    const base = by === "router" ? ready[`${endpoint.api}_base_url`] : ready.functions[endpoint.name];
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => fetch(`${base}${pathOf(endpoint)}`, { method, headers: { "x-api-key": key } })),
    );
    expect(head?.status).toBe(get?.status);
    expect(head?.headers.get("content-type")).toBe(get?.headers.get("content-type"));
    expect(await head?.text()).toBe("");
  });
});

describe.each(withBody.map((endpoint) => [endpoint.name, endpoint] as const))("the body of %s", (_name, endpoint) => {
  const send = (text: string, headers = {}) => call(endpoint.api, endpoint.method, pathOf(endpoint), { key, text, headers });

  it("over 1 MiB is a 413", async () => {
    expect(await send(" ".repeat(2 * 1024 * 1024))).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("of another media type is a 415", async () => {
    expect(await send("<x/>", { "content-type": "text/xml" })).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    const packed = await send("{}", { "content-type": "application/json", "content-encoding": "br" });
    expect({ status: packed.status, takes: packed.headers.get("accept-encoding") }).toEqual({ status: 415, takes: "identity" });
    const plain = await send("{}", { "content-type": "application/json", "content-encoding": "IDENTITY" });
    expect(plain.status).not.toBe(415);
    expect(await send("{}", { "content-type": "application/json; charset=latin1" })).toMatchObject({ status: 415 });
  });

  it("that is invalid JSON is a 400 with the position", async () => {
    expect(await send('{"a": }')).toMatchObject({
      status: 400,
      body: { code: "invalid_argument", detail: expect.stringContaining("position 6") },
    });
    expect(await send('{"a": 1')).toMatchObject({ status: 400, body: { detail: expect.stringContaining("unexpected end of the text") } });
  });

  it("with unknown fields is a 400 that names each, and nothing else if all others are valid", async () => {
    const bodies = shapesOf(endpoint.body).map((shape) => sampleOf(endpoint.body, shape));
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(v.is(endpoint.body, body), JSON.stringify(body)).toBe(true);
      const { status, body: problem } = await send(JSON.stringify({ ...body, "quite/other": 1, "another~one": null }));
      expect({ status, problem }).toMatchObject({ status: 400, problem: { code: "invalid_argument" } });
      expect(problem).toHaveProperty("errors", [
        { pointer: "/quite~1other", detail: "is not a known field" },
        { pointer: "/another~0one", detail: "is not a known field" },
      ]);
    }
  });

  it.each(["[]", '"text"', "7", "null"])("that is %s instead of an object is a 400", async (text) => {
    expect(await send(text)).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });
});

describe("an unknown path", () => {
  it.each(["users", "data"] as const)("is a 404 problem of the %s API", async (api) => {
    const { status, headers, body } = await call(api, "GET", "/nowhere", { key });
    const error = expect.stringMatching(/^There is no such path in the .* API; GET \/openapi.json lists its paths$/);
    expect({ status, body }).toMatchObject({ status: 404, body: { code: "not_found", error } });
    expectClosedDoor(headers);
  });

  it.each([
    ["users", "/data-agg/jobs", "Data API: ", ready.data_base_url],
    ["data", "/admin/maps/", "Users API: ", ready.users_base_url],
  ] as const)("of the other API names its base URL: %s %s", async (api, path, name, base) => {
    const { status, body } = await call(api, "GET", path, { key });
    const error = expect.stringMatching(`is a path of the ${name}${base}${path.replace(/\/$/, "")}$`);
    expect({ status, body }).toMatchObject({ status: 404, body: { code: "not_found", error } });
  });
});
