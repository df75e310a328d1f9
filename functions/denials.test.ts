import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { call, keyOf, newCustomer } from "../infra/local/testing/service.ts";
import type { Endpoint } from "../shared/endpoint/define.ts";
import { catalogue } from "./catalogue.ts";

const UNKNOWN_KEY = "f".repeat(64);
const customer = await newCustomer();
const key = keyOf(customer);

/** Ids that are well formed and mean nothing, one of each kind that paths hold. */
const IDS = ["00000000-0000-4000-8000-000000000000", "00000000000000000000"];

/** The path of an endpoint with something harmless for each parameter: the first of the ids that its own schema takes. */
function pathOf({ path, params }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => IDS.find((id) => v.is(params, { [name]: id })) ?? "x");
}

const withKey = catalogue.filter((endpoint) => endpoint.auth !== "none");
const withBody = catalogue.filter((endpoint) => endpoint.method === "POST" || endpoint.method === "PUT");

describe.each(withKey.map((endpoint) => [endpoint.name, endpoint] as const))("%s", (_name, endpoint) => {
  it.each([
    ["no key", undefined],
    ["a malformed key", "not-a-key"],
    ["an unknown key", UNKNOWN_KEY],
  ])("answers %s with one and the same 401", async (_kind, given) => {
    const answer = await call(endpoint.api, endpoint.method, pathOf(endpoint), { key: given });
    expect(answer).toMatchObject({
      status: 401,
      body: {
        code: "unauthenticated",
        detail: "A valid API key is required in the header x-api-key",
        request_id: answer.headers.get("x-request-id"),
      },
    });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
  });

  it("answers another method with 405 and what is allowed", async () => {
    const answer = await call(endpoint.api, "PATCH", pathOf(endpoint), { key });
    expect(answer).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(answer.headers.get("allow")?.split(", ")).toContain(endpoint.method);
  });

  it("refuses an unknown query parameter by its name", async () => {
    const answer = await call(endpoint.api, endpoint.method, `${pathOf(endpoint)}?geo_idz=1`, { key });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([{ pointer: "/geo_idz", detail: "is not a known field" }]) },
    });
  });

  it("carries the headers of a closed door", async () => {
    const { headers } = await call(endpoint.api, endpoint.method, pathOf(endpoint));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-powered-by")).toBeNull();
  });
});

describe.each(withBody.map((endpoint) => [endpoint.name, endpoint] as const))("the body of %s", (_name, endpoint) => {
  const send = (text: string, headers = {}) => call(endpoint.api, endpoint.method, pathOf(endpoint), { key, text, headers });

  it("over 1 MiB is a 413", async () => {
    expect(await send(" ".repeat(2 * 1024 * 1024))).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  it("of another media type is a 415", async () => {
    expect(await send("<x/>", { "content-type": "text/xml" })).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    expect(await send("{}", { "content-type": "application/json; charset=latin1" })).toMatchObject({ status: 415 });
  });

  it("that is no JSON is a 400 that says where", async () => {
    expect(await send('{"a": }')).toMatchObject({
      status: 400,
      body: { code: "invalid_argument", detail: expect.stringContaining("position 6") },
    });
    expect(await send('{"a": 1')).toMatchObject({ status: 400, body: { detail: expect.stringContaining("it ends where") } });
  });

  it("with an unknown field is a 400 that names it", async () => {
    const answer = await send('{"mesure":"x"}');
    expect(answer.status).toBe(400);
  });

  it.each(["[]", '"text"', "7", "null"])("that is %s and no object is a 400", async (text) => {
    expect(await send(text)).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });
});

describe("a path that is nowhere", () => {
  it.each(["users", "data"] as const)("is a 404 problem of the %s API", async (api) => {
    expect(await call(api, "GET", "/nowhere", { key })).toMatchObject({
      status: 404,
      body: { code: "not_found", error: "There is no such path" },
    });
  });
});
