import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleServer } from "./console.ts";
import { createLocalServer } from "./http-server.ts";
import { type LocalServer, listenOnLoopback } from "./server.ts";

let server: LocalServer;

beforeAll(async () => {
  const addresses = { users_base_url: "http://127.0.0.1:1", data_base_url: "http://127.0.0.1:2", storage_url: "http://127.0.0.1:3" };
  server = await listenOnLoopback(createLocalServer(consoleServer({ ...addresses, export_bucket: "local-exports", tick_seconds: 300 })));
});

afterAll(() => server.close());

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://${server.address}${path}`, { headers, redirect: "manual" });

describe("the console's address", () => {
  it("keeps the query when it gets its slash", async () => {
    const { status, headers } = await ask("/console?map=m1&day=2026-01-01");
    expect([status, headers.get("location")]).toEqual([308, "/console/?map=m1&day=2026-01-01"]);
  });

  it("answers 304 to every form of If-None-Match that names what it has", async () => {
    const etag = (await ask("/console/")).headers.get("etag") ?? "";
    const statuses = [etag, `W/${etag}`, `"other", ${etag}`, "*", '"other"'].map(
      async (tags) => (await ask("/console/", { "if-none-match": tags })).status,
    );
    expect(await Promise.all(statuses)).toEqual([304, 304, 304, 304, 200]);
  });
});
