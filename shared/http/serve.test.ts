import { createServer, type Server } from "node:http";
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { AggregationBody } from "../products/catalogue.ts";
import { parseConfig } from "../runtime/config.ts";
import { TimedOut } from "../runtime/with-timeout.ts";
import type { Authenticate, Caller } from "./caller.ts";
import { defineEndpoint, noInput, reply } from "./define-endpoint.ts";
import { FIELD_ERRORS_MAX, unavailable } from "./errors.ts";
import { Problem } from "./problem.ts";
import { serve } from "./serve.ts";
import type { ServeOptions } from "./serve-options.ts";

const config = parseConfig({ GOOGLE_CLOUD_PROJECT: "demo-serve", ENVIRONMENT: "local", EXPORT_BUCKET: "bucket" });
const caller: Caller = {
  uid: "customer1",
  keyLabel: "main",
  keyHint: "aaaaaa",
  keyId: "stored",
  service: "storage",
  scopes: [],
  countries: ["EST"],
  defaultCountry: "EST",
  machineAccountAdmin: false,
};
const KEY = "a".repeat(64);
/** Returns the same caller for every key. */
const finds =
  (one: Caller): Authenticate =>
  async () => ({ caller: one, recordUse: () => undefined });
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Serves an endpoint with a given behaviour on its own port. Returns a function to call it, and its log. */
async function serving(doing: (turn: () => Promise<void>) => Promise<void>, options: Partial<ServeOptions> = {}, atOnce?: number) {
  const endpoint = defineEndpoint({
    file: "made/for-this-test",
    api: "data",
    method: "POST",
    path: "/made",
    description: "Made for this test",
    summary: "Made for this test",
    auth: {},
    params: noInput,
    query: noInput,
    body: v.optional(AggregationBody),
    responses: { 200: v.strictObject({ done: v.boolean() }) },
    ...(atOnce === undefined ? {} : { atOnce }),
    dependencies: () => undefined,
    handler: async (_request, _uses, { turn }) => {
      await doing(turn);
      return reply(200, { done: true });
    },
  });
  const logged: string[] = [];
  const log: ServeOptions["log"] = (severity, message, fields) => logged.push(JSON.stringify({ severity, message, ...fields }));
  const server = createServer(serve(endpoint, { config, authenticate: finds(caller), log, now: () => new Date(0), ...options }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const call = async (body?: string) => {
    const headers = { "x-api-key": KEY, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await fetch(`http://127.0.0.1:${port}/made`, { method: "POST", headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, bytes: text.length, body: JSON.parse(text) };
  };
  return { call, logged };
}

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

const nothingDone = async () => undefined;

describe("a dependency that is down", () => {
  it.each([
    ["gRPC's UNAVAILABLE", { code: 14 }],
    ["gRPC's DEADLINE_EXCEEDED", { code: 4 }],
    ["gRPC's RESOURCE_EXHAUSTED", { code: 8 }],
    ["gRPC's ABORTED after the client's retries", { code: 10 }],
    ["HTTP 429", { code: 429 }],
    ["HTTP 502", { code: "502" }],
    ["HTTP 503", { status: 503 }],
    ["HTTP 504", { code: 504 }],
    ["a warehouse at its quota", { code: 403, errors: [{ reason: "quotaExceeded" }] }],
    ["an error of the warehouse", { code: 500, errors: [{ reason: "backendError" }] }],
    ["a refused connection", { code: "ECONNREFUSED" }],
    ["a connection that was reset", { code: "ECONNRESET" }],
    ["a refused connection inside another error", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) }],
  ])("is a 503 with Retry-After and without internals: %s", async (_what, members) => {
    const secret = Object.assign(new Error("10.1.2.3 is down"), members);
    for (const options of [{ authenticate: () => Promise.reject(secret) }, {}]) {
      const { call, logged } = await serving(() => Promise.reject(secret), options);
      const { status, headers, body } = await call();
      expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(JSON.stringify(body)).not.toContain("10.1.2.3");
      expect(logged[0]).toContain("10.1.2.3");
    }
  });

  it("is recognised as the cause of fetch's error", async () => {
    const port = await closedPort();
    const { call } = await serving(async () => void (await fetch(`http://127.0.0.1:${port}/`)));
    expect(await call()).toMatchObject({ status: 503, body: { code: "unavailable" } });
  });

  it("makes the key lookup time out", async () => {
    const { call, logged } = await serving(nothingDone, { authenticate: () => new Promise(() => undefined), keyMsMax: 1 });
    expect(await call()).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(logged[0]).toContain("No answer in 1 ms");
  });

  it("keeps the detail that the handler gave it", async () => {
    const { call } = await serving(() => Promise.reject(unavailable("Tokens cannot be issued", 60, new Error("x"))));
    const { body, headers } = await call();
    expect(body).toMatchObject({ status: 503, detail: "Tokens cannot be issued" });
    expect(headers.get("retry-after")).toBe("60");
  });
});

describe("a request that is too large for the warehouse", () => {
  it.each(["bytesBilledLimitExceeded", "responseTooLarge"])("is a 400 with advice: %s", async (reason) => {
    const refused = Object.assign(new Error("Query exceeded limit for bytes billed: 1. SELECT secret"), {
      code: 400,
      errors: [{ reason }],
    });
    const { status, body } = await (await serving(() => Promise.reject(refused))).call();
    expect({ status, code: body.code, detail: body.detail }).toEqual({
      status: 400,
      code: "invalid_argument",
      detail: expect.stringContaining("ask for fewer days or geographies"),
    });
    expect(JSON.stringify(body)).not.toContain("SELECT");
  });
});

describe("any other error", () => {
  it.each([
    ["NOT_FOUND of gRPC", { code: 5 }],
    ["INVALID_ARGUMENT of gRPC", { code: 3 }],
    ["HTTP 400", { code: 400 }],
    ["a file that is not there", { code: "ENOENT" }],
    ["one of its own", {}],
  ])("is a 500 with a fixed text: %s", async (_what, members) => {
    const { call } = await serving(() => Promise.reject(Object.assign(new Error("SELECT secret"), members)));
    const { status, headers, body } = await call();
    expect({ status, detail: body.detail }).toEqual({ status: 500, detail: "Something failed on our side; please try again" });
    expect(headers.get("retry-after")).toBeNull();
  });
});

describe("a customer who is suspended", () => {
  it("gets a 403, whatever the key may do", async () => {
    const { call } = await serving(nothingDone, { authenticate: finds({ ...caller, suspended: true }) });
    expect(await call()).toMatchObject({
      status: 403,
      body: { code: "permission_denied", detail: "This customer is suspended; contact support" },
    });
  });

  it("is served again once active", async () => {
    const { call } = await serving(nothingDone, { authenticate: finds({ ...caller, suspended: false }) });
    expect(await call()).toMatchObject({ status: 200, body: { done: true } });
  });
});

describe("a body with nothing but errors", () => {
  const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
  const window = { start_time: "2026-11-01", end_time: "2026-11-02" };
  const BYTES_MAX = 32_768;

  it.each([
    ["260,000 ids that are none", { ...odm, ...window, origin_geo_ids: Array(260_000).fill("") }, 100, false],
    [
      "two full lists of invalid ids",
      { ...odm, ...window, origin_geo_ids: Array(10_000).fill("x"), destination_geo_ids: Array(10_000).fill(-1) },
      100,
      true,
    ],
    ["80,000 unknown fields", Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`m${index}`, 1])), 100, true],
    ["an unknown field of a megabyte", { ...odm, ...window, ["x".repeat(1_000_000)]: 1 }, 1, false],
  ])("gets a small response with at most 100 errors: %s", async (_what, body, listed, hasMore) => {
    const { call } = await serving(nothingDone);
    const answer = await call(JSON.stringify(body));
    expect(answer.status).toBe(400);
    const { errors = [], detail } = v.parse(Problem, answer.body);
    expect(errors).toHaveLength(listed);
    expect(answer.bytes).toBeLessThan(BYTES_MAX);
    expect(detail.includes(`the first ${FIELD_ERRORS_MAX} are in errors`)).toBe(hasMore);
  });

  it("gets the first errors and a count of the rest", async () => {
    const { call } = await serving(nothingDone);
    const unknown = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x${index}`, 1]));
    const { body } = await call(JSON.stringify({ ...odm, ...window, ...unknown }));
    expect(body.detail).toBe("x0 is not a known field (and 1,499 more: the first 100 are in errors)");
  });
});

describe("an endpoint with few turns at once", () => {
  it("lets the others wait, and answers all", async () => {
    let [running, most] = [0, 0];
    const doing = async (turn: () => Promise<void>) => {
      await turn();
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    const { call } = await serving(doing, {}, 2);
    const answers = await Promise.all(Array.from({ length: 20 }, () => call()));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(most).toBe(2);
  });

  it("begins the next when the work of one is over, not when its timeout is answered", async () => {
    let runs = 0;
    const held = Promise.withResolvers<void>();
    const doing = async (turn: () => Promise<void>) => {
      await turn();
      if (++runs === 1) await held.promise;
    };
    const { call } = await serving(doing, { requestMsMax: 50 }, 1);
    expect([(await call()).status, (await call()).status, runs]).toEqual([503, 503, 1]);
    held.resolve();
    expect([(await call()).status, runs]).toEqual([200, 2]);
  });

  it("begins nothing for a request that asks after its timeout was answered, and gives its turn to the next", async () => {
    let asked = 0;
    const [held, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const doing = async (turn: () => Promise<void>) => {
      if (++asked > 1) return turn();
      await held.promise;
      await turn().catch((error: unknown) => refused.resolve(error));
    };
    const { call } = await serving(doing, { requestMsMax: 50 }, 1);
    expect((await call()).status).toBe(503);
    held.resolve();
    expect(await refused.promise).toBeInstanceOf(TimedOut);
    expect((await call()).status).toBe(200);
  });
});
