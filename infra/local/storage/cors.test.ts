import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET, type StorageUnderTest, startStorageUnderTest, UID } from "../../testing/engines/storage-under-test.ts";

const PAGE = "http://localhost:5173";
const FOREIGN = "https://localhost.example.org";
const NAME = `results/${UID}/job/part-1`;

let storage: StorageUnderTest;

beforeAll(async () => {
  storage = await startStorageUnderTest({ allowsOrigin: (origin) => origin === PAGE });
  await storage.client.bucket(BUCKET).file(NAME).save("content", { resumable: false });
});

afterAll(() => storage.close());

function ask(path: string, origin: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  return fetch(`${storage.origin}${path}`, { method: options.method ?? "GET", headers: { origin, ...options.headers } });
}

function preflight(origin: string, method: string, headers: string) {
  const asked = { "access-control-request-method": method, "access-control-request-headers": headers };
  return ask(`/${BUCKET}/${NAME}`, origin, { method: "OPTIONS", headers: asked });
}

describe("a preflight", () => {
  it("of an allowed page needs no token, and says what the page may send", async () => {
    const { status, headers } = await preflight(PAGE, "GET", "authorization, range");
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(headers.get("access-control-allow-methods")).toBe("GET, HEAD");
    expect(headers.get("access-control-allow-headers")).toContain("Authorization");
    expect(headers.get("access-control-max-age")).toBe("3600");
  });

  it.each([
    ["another page", FOREIGN, "GET", "range"],
    ["another method", PAGE, "DELETE", ""],
    ["another header", PAGE, "GET", "x-secret"],
  ])("of %s allows nothing", async (_what, origin, method, headers) => {
    const response = await preflight(origin, method, headers);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("a response", () => {
  it("may be read by an allowed page, an error too, and by no other", async () => {
    for (const [path, status] of [
      [`/${BUCKET}/${NAME}`, 200],
      [`/storage/v1/b/${BUCKET}/o?prefix=results/${UID}/`, 200],
      [`/${BUCKET}/results/another`, 403],
    ] as const) {
      const headers = { authorization: `Bearer ${storage.tokens.reader}` };
      const response = await ask(path, PAGE, { headers });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, PAGE]);
      expect(response.headers.get("access-control-expose-headers")).toContain("Content-Range");
      expect(response.headers.get("vary")).toBe("Origin");
      expect((await ask(path, FOREIGN, { headers })).headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});
