import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { parseConfig } from "../runtime/config.ts";
import type { Caller } from "./caller.ts";
import { defineEndpoint, noInput, reply } from "./define-endpoint.ts";
import { invalidFields } from "./errors.ts";
import type { AnswerPolicy } from "./respond.ts";
import { serve } from "./serve.ts";

const ORIGIN = "https://map.example";
const environment = { GOOGLE_CLOUD_PROJECT: "demo-respond", ENVIRONMENT: "local", EXPORT_BUCKET: "bucket", CORS_ORIGINS: ORIGIN };
const config = parseConfig(environment);
const grants = { service: "storage", scopes: [], countries: ["EST"], defaultCountry: "EST", machineAccountAdmin: false } as const;
const KEYS: Readonly<Record<string, Caller>> = {
  one: { uid: "customer1", keyLabel: "one", keyId: "0", keyHint: "aaaaaa", ...grants },
  another: { uid: "customer1", keyLabel: "another", keyId: "0", keyHint: "bbbbbb", ...grants },
  other: { uid: "customer2", keyLabel: "one", keyId: "0", keyHint: "cccccc", ...grants },
};
/** The content `{"text":"…"}` of this many bytes. */
const contentOf = (bytes: number): { text: string } => ({ text: "x".repeat(bytes - JSON.stringify({ text: "" }).length) });
const LARGE = 5000;

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

interface WireAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

interface Made extends AnswerPolicy {
  readonly content?: () => { text: string };
  readonly etag?: string;
}

/** Serves an endpoint that answers with a content. Returns a function that calls it as it is on the wire, and the statuses in its log. */
async function serving({ content = () => contentOf(LARGE), etag, ...policy }: Made = {}) {
  const endpoint = defineEndpoint({
    file: "made/for-this-test",
    api: "data",
    method: "GET",
    path: "/made",
    description: "Made for this test",
    summary: "Made for this test",
    auth: {},
    params: noInput,
    query: noInput,
    body: noInput,
    responses: { 200: v.strictObject({ text: v.string() }) },
    ...policy,
    dependencies: () => undefined,
    handler: async () => reply(200, content(), etag === undefined ? {} : { etag }),
  });
  const logged: unknown[] = [];
  const authenticate = async (key: string) => {
    const caller = KEYS[key];
    return caller && { caller, recordUse: () => undefined };
  };
  const log = (_severity: string, message: string) => logged.push(message);
  const server = createServer(serve(endpoint, { config, authenticate, log, now: () => new Date(0) }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const call = (headers: Record<string, string> = {}, method = "GET"): Promise<WireAnswer> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: "127.0.0.1", path: "/made", method, headers: { "x-api-key": "one", ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }));
        answer.on("error", reject);
      });
      asked.on("error", reject);
      asked.end();
    });
  return { call, logged };
}

const GZIP = { "accept-encoding": "gzip" };
/** The headers of an answer without those that differ between any two answers. */
function lasting({ headers: { date: _date, "x-request-id": _id, ratelimit: _left, ...others } }: WireAnswer): IncomingMessage["headers"] {
  return others;
}

describe("an answer", () => {
  it.each([
    [1024, undefined],
    [1025, "gzip"],
  ])("is compressed from 1 KiB on, if the client asks for it: %d bytes", async (bytes, encoding) => {
    const { call } = await serving({ content: () => contentOf(bytes) });
    const answer = await call(GZIP);
    expect(answer.headers).toMatchObject({ vary: "Origin, Accept-Encoding", "content-length": String(answer.bytes.length) });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    const plain = encoding === undefined ? answer.bytes : gunzipSync(answer.bytes);
    expect(JSON.parse(plain.toString())).toEqual(contentOf(bytes));
    expect((await call()).bytes).toEqual(plain);
  });

  it("that is plain names its length, and that another form exists", async () => {
    const { call } = await serving();
    const { headers, bytes } = await call({ "accept-encoding": "gzip;q=0.2, identity" });
    expect(headers).toMatchObject({ vary: "Origin, Accept-Encoding", "content-length": String(LARGE) });
    expect({ encoding: headers["content-encoding"], length: bytes.length }).toEqual({ encoding: undefined, length: LARGE });
  });

  it("with credentials is never compressed, and neither are the endpoint's errors", async () => {
    const { call } = await serving({ hasCredentials: true });
    const answer = await call({ ...GZIP, origin: ORIGIN });
    expect(answer.headers).toMatchObject({ vary: "Origin", "cache-control": "no-store", "content-length": String(LARGE) });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect((await call({ ...GZIP, "x-api-key": "none" })).headers["content-encoding"]).toBeUndefined();
  });

  it("that is an error is compressed, too", async () => {
    const errors = Array.from({ length: 50 }, (_, index) => ({ pointer: `/field${index}`, detail: "is not a known field" }));
    const { call } = await serving({
      content: () => {
        throw invalidFields(errors);
      },
    });
    const { status, headers, bytes } = await call(GZIP);
    expect({ status, headers }).toMatchObject({
      status: 400,
      headers: { "content-encoding": "gzip", "content-type": "application/problem+json", "cache-control": "no-store" },
    });
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ code: "invalid_argument", errors });
  });

  it("to HEAD has the headers of GET, and no body", async () => {
    for (const policy of [{}, { isRevalidated: true }, { hasCredentials: true }] as const)
      for (const headers of [{}, GZIP]) {
        const { call } = await serving(policy);
        const [get, head] = [await call(headers), await call(headers, "HEAD")];
        expect({ status: head.status, headers: lasting(head) }).toEqual({ status: get.status, headers: lasting(get) });
        expect(head.bytes.length).toBe(0);
      }
  });

  it("has another strong entity tag when it is compressed", async () => {
    const { call } = await serving({ etag: '"7"' });
    expect((await call()).headers.etag).toBe('"7"');
    expect((await call(GZIP)).headers.etag).toBe('"7-gzip"');
  });
});

describe("an answer that the customer may keep", () => {
  it("has a weak entity tag of its content, the same for both forms and for each of the customer's keys", async () => {
    let content = contentOf(LARGE);
    const { call } = await serving({ isRevalidated: true, content: () => content });
    const first = await call();
    expect(first.headers).toMatchObject({ "cache-control": "private, no-cache", vary: "Origin, x-api-key, Accept-Encoding" });
    expect(first.headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
    for (const headers of [GZIP, { "x-api-key": "another" }]) expect((await call(headers)).headers.etag).toBe(first.headers.etag);
    content = contentOf(LARGE + 1);
    const changed = await call({ "if-none-match": first.headers.etag ?? "" });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(first.headers.etag);
  });

  it.each([
    ["the tag", (tag: string) => tag],
    ["the tag as a strong one", (tag: string) => tag.slice(2)],
    ["a list with the tag", (tag: string) => `"a", ${tag}, "b"`],
    ["any tag", () => "*"],
  ])("is not sent again to a client that names %s", async (_what, header) => {
    const { call, logged } = await serving({ isRevalidated: true });
    const first = await call({ origin: ORIGIN });
    for (const method of ["GET", "HEAD"])
      for (const encoding of [{}, GZIP]) {
        const again = await call({ origin: ORIGIN, "if-none-match": header(first.headers.etag ?? ""), ...encoding }, method);
        expect({ status: again.status, bytes: again.bytes.length }).toEqual({ status: 304, bytes: 0 });
        const { "content-type": _type, "content-length": _length, ...kept } = lasting(first);
        expect(lasting(again)).toEqual(kept);
      }
    expect(kept304(logged)).toBe(4);
  });

  it("is sent again to another customer who names its tag, with another tag", async () => {
    const { call } = await serving({ isRevalidated: true });
    const first = await call();
    const foreign = await call({ "x-api-key": "other", "if-none-match": first.headers.etag ?? "" });
    expect(foreign.status).toBe(200);
    expect(foreign.bytes).toEqual(first.bytes);
    expect(foreign.headers.etag).not.toBe(first.headers.etag);
  });

  it("is refused before its tag is compared", async () => {
    const { call } = await serving({ isRevalidated: true });
    const { status, headers } = await call({ "x-api-key": "none", "if-none-match": "*" });
    expect({ status, headers }).toMatchObject({ status: 401, headers: { "cache-control": "no-store" } });
    expect(headers.etag).toBeUndefined();
  });

  it("has no tag when it is an error", async () => {
    const { call } = await serving({
      isRevalidated: true,
      content: () => {
        throw invalidFields([{ pointer: "/field", detail: "is required" }]);
      },
    });
    const { status, headers } = await call({ "if-none-match": "*" });
    expect({ status, headers }).toMatchObject({ status: 400, headers: { "cache-control": "no-store" } });
    expect(headers.etag).toBeUndefined();
  });
});

it("an answer of any other endpoint is not to be kept, whatever the client has", async () => {
  const { call } = await serving();
  const { status, headers } = await call({ "if-none-match": "*" });
  expect({ status, headers }).toMatchObject({ status: 200, headers: { "cache-control": "no-store" } });
  expect(headers.etag).toBeUndefined();
});

function kept304(logged: readonly unknown[]): number {
  return logged.filter((message) => message === "GET /made 304").length;
}
