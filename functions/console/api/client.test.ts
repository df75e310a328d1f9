import { createServer, type ServerResponse } from "node:http";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type LocalServer, listenOnLoopback } from "../../../infra/local/server.ts";
import { call, useKey } from "./client.ts";
import { useConfig } from "./config.ts";
import { SessionEnded } from "./problem.ts";

const ANSWER = JSON.stringify({ name: "Acme" });
const signOut = () => useKey(undefined, () => undefined);

/** The requests to the service: path and key. */
let asked: string[];
/** Answers a request to the service. */
let respond: (response: ServerResponse) => void;

let service: LocalServer;

beforeAll(async () => {
  const server = createServer(({ url = "", headers }, response) => {
    const origin = `http://${headers.host}`;
    const addresses = { users_base_url: origin, data_base_url: origin, storage_url: origin, export_bucket: "exports", tick_seconds: 300 };
    if (url === "/console/config.json") return void response.end(JSON.stringify(addresses));
    asked.push(`${url} ${headers["x-api-key"]}`);
    respond(response);
  });
  service = await listenOnLoopback(server);
  useConfig(`http://${service.address}/console/config.json`);
});
afterAll(() => service.close());

beforeEach(() => {
  asked = [];
  respond = (response) => void response.end(ANSWER);
});

const ask = () => call("users", "/users/me", v.object({ name: v.string() }));

/** Holds the answer to the next request: returns its response when it has come. */
function nextRequest(): Promise<ServerResponse> {
  return new Promise((resolve) => {
    respond = resolve;
  });
}

it("a request has the answer of its session", async () => {
  useKey("key", () => undefined);
  expect(await ask()).toEqual({ name: "Acme" });
  expect(asked).toEqual(["/users/me key"]);
});

it("no request is sent without a key, after a sign-out or between two lines of one", async () => {
  useKey("key", () => undefined);
  const begun = ask();
  signOut();
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
  await expect(ask()).rejects.toBeInstanceOf(SessionEnded);
  expect(asked).toEqual([]);
});

it("a request of a session is not sent with the key of the next one", async () => {
  useKey("key", () => undefined);
  const begun = ask();
  signOut();
  useKey("another", () => undefined);
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
  expect(asked).toEqual([]);
});

it("an answer that comes after its session has ended is shown to nobody, also in the next session", async () => {
  useKey("key", () => undefined);
  const asking = nextRequest();
  const begun = ask();
  const response = await asking;
  signOut();
  useKey("another", () => undefined);
  response.end(ANSWER);
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
});

it("an answer whose session ends half-way is shown to nobody", async () => {
  useKey("key", () => undefined);
  const asking = nextRequest();
  const begun = ask();
  const response = await asking;
  response.write(ANSWER.slice(0, 5));
  signOut();
  response.end(ANSWER.slice(5));
  await expect(begun).rejects.toBeInstanceOf(SessionEnded);
});

it("an answer that ends half-way fails as one of a host that cannot be reached", async () => {
  useKey("key", () => undefined);
  respond = (response) => {
    response.writeHead(200, { "content-length": ANSWER.length });
    response.write(ANSWER.slice(0, 5), () => response.destroy());
  };
  await expect(ask()).rejects.toMatchObject({ name: "RequestFailed", status: 0, code: "unreachable" });
});
