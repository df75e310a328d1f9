import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { http } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listen } from "../../infra/local/server.ts";
import { ManualClock } from "../../infra/testing/engines/manual-clock.ts";
import { holdRequest } from "../../infra/testing/held-request.ts";
import { parseConfig } from "../runtime/config.ts";
import { defineEndpoint, noInput, reply } from "./define-endpoint.ts";
import { takeOverRequests } from "./http-request.ts";
import { serve } from "./serve.ts";

const config = parseConfig({ GOOGLE_CLOUD_PROJECT: "demo-held", ENVIRONMENT: "local", EXPORT_BUCKET: "bucket" });
const GRANTS = { service: "storage", scopes: [], countries: ["EST"], defaultCountry: "EST", machineAccountAdmin: false } as const;
const CALLER = { uid: "customer1", keyLabel: "main", keyHint: "aaaaaa", keyId: "stored", ...GRANTS };
const KEY = "a".repeat(64);
const PAUSED = "The body paused for more than 5 seconds; send the request again, without pauses";
const SLOW = "The body took more than 30 seconds; send the request again, faster or with a smaller body";

const servers: Server[] = [];
const sockets: Socket[] = [];
const ports = new Set<number | undefined>();
takeOverRequests(({ socket }) => ports.has(socket.localPort));

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  // A later test of this process may get one of them.
  ports.clear();
});

/** Serves an endpoint over a clock of its own, in Node's server or in the functions framework. `ran` counts its handler's runs. */
async function serving(host: "node" | "framework") {
  const clock = new ManualClock();
  let ran = 0;
  const endpoint = defineEndpoint({
    ...{ file: "held/body", api: "data", method: "POST", path: "/held", summary: "Held", description: "Held", auth: {} },
    ...{ params: noInput, query: noInput, body: noInput, responses: { 200: noInput }, dependencies: () => undefined },
    handler: async () => {
      ran += 1;
      return reply(200, {});
    },
  });
  const handler = serve(endpoint, {
    config,
    authenticate: async () => ({ caller: CALLER, recordUse: () => undefined }),
    log: () => undefined,
    now: () => new Date(0),
    startTimer: (milliseconds, run) => clock.at(clock.now() + milliseconds, run),
  });
  if (host === "framework") http("held-body", handler);
  const server = host === "framework" ? getTestServer("held-body") : createServer((request, response) => void handler(request, response));
  servers.push(server);
  const port = await listen(server);
  ports.add(port);
  /** Waits until the body is being read and a part of it has arrived, if any: each starts the timer of a pause anew. */
  const waiting = (waits: readonly number[]) => vi.waitFor(() => expect(clock.waits()).toEqual(waits), { interval: 1 });
  const hold = () => holdRequest({ port, method: "POST", path: "/held", key: KEY });
  return { clock, port, waiting, hold, ran: () => ran };
}

describe.each(["node", "framework"] as const)("a body that is held back, in a server of %s,", (host) => {
  it("is a 408 after a pause of five seconds, and the connection ends", async () => {
    const { clock, waiting, hold, ran } = await serving(host);
    const held = hold();
    await waiting([5000, 30_000]);
    clock.advance(4999);
    held.write("{");
    await waiting([5000, 25_001]);
    clock.advance(4999);
    held.write(" ");
    await waiting([5000, 20_002]);
    clock.advance(5000);
    const { status, connection, body } = await held.answer;
    expect({ status, connection }).toEqual({ status: 408, connection: "close" });
    expect(body).toMatchObject({ title: "Request Timeout", code: "request_timeout", detail: PAUSED });
    expect([ran(), clock.waits()]).toEqual([0, []]);
  });

  it("is a 408 after thirty seconds, however short its pauses are", async () => {
    const { clock, waiting, hold, ran } = await serving(host);
    const held = hold();
    await waiting([5000, 30_000]);
    for (let second = 4; second <= 28; second += 4) {
      clock.advance(4000);
      held.write(" ");
      await waiting(second === 28 ? [2000, 5000] : [5000, 30_000 - 1000 * second].sort((a, b) => a - b));
    }
    clock.advance(2000);
    expect(await held.answer).toMatchObject({ status: 408, connection: "close", body: { detail: SLOW } });
    expect(ran()).toBe(0);
  });

  it("is accepted if it ends in time, and leaves no timer", async () => {
    const { clock, waiting, hold, ran } = await serving(host);
    const held = hold();
    await waiting([5000, 30_000]);
    clock.advance(4999);
    held.end("{}");
    expect(await held.answer).toMatchObject({ status: 200 });
    expect([ran(), clock.waits()]).toEqual([1, []]);
  });

  it.each([
    ["its last chunk is held back", "2\r\n{}\r\n"],
    ["its trailers are held back", "2\r\n{}\r\n0\r\nx-late: 1\r\n"],
  ])("is a 408 even if it is complete: %s", async (_what, sent) => {
    const { clock, port, waiting, ran } = await serving(host);
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    const head = ["POST /held HTTP/1.1", "host: x", `x-api-key: ${KEY}`, "content-type: application/json", "transfer-encoding: chunked"];
    socket.write(`${head.join("\r\n")}\r\n\r\n${sent}`);
    await waiting([5000, 30_000]);
    clock.advance(5000);
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toContain(PAUSED);
    expect(ran()).toBe(0);
  });
});

it("a body over its size is refused without reading the rest, with a response that arrives", async () => {
  const { hold, waiting } = await serving("node");
  const held = hold();
  await waiting([5000, 30_000]);
  held.write(" ".repeat(1_048_577));
  expect(await held.answer).toMatchObject({ status: 413, connection: "close", body: { code: "payload_too_large" } });
});
