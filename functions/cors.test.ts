import { describe, expect, it } from "vitest";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { config } from "../shared/runtime/config.ts";
import listMaps from "./maps/list.ts";

const CONSOLE = "https://console.example.org";
const ask = { "access-control-request-method": "POST", "access-control-request-headers": "content-type,x-api-key" };

describe("a page in a browser", () => {
  it("of another computer is allowed nowhere unless the deployment names its origin", async () => {
    const key = keyOf(await newCustomer());
    const { headers } = await call("users", "GET", "/admin/maps", { key, headers: { origin: CONSOLE } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    const refused = await call("users", "OPTIONS", "/admin/maps", { headers: { origin: CONSOLE, ...ask } });
    expect([refused.status, refused.headers.get("access-control-allow-origin"), refused.headers.get("vary")]).toEqual([
      405,
      null,
      "Origin, Accept-Encoding",
    ]);
  });

  it("of this computer is allowed by the local service at any port, and by no deployment", async () => {
    const key = keyOf(await newCustomer());
    const served = await serveInProcess({ endpoint: listMaps, config: { ...config(), corsLoopback: false } });
    for (const origin of ["http://localhost:5173", "http://127.0.0.1:8000", "https://localhost", "http://[::1]:3000"]) {
      const { headers } = await call("users", "GET", "/admin/maps", { key, headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      const asked = await call("users", "OPTIONS", "/admin/maps", { headers: { origin, ...ask } });
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
      for (const path of ["/admin/maps", "/no-such-path"]) {
        const refused = await call("users", "PUT", path, { headers: { origin } });
        expect([refused.status >= 400, refused.headers.get("access-control-allow-origin")]).toEqual([true, origin]);
      }
      expect((await served.call({ key, headers: { origin } })).headers.get("access-control-allow-origin")).toBeNull();
    }
    for (const origin of ["http://localhost.example.org", "http://127.0.0.1.example.org", "http://localhost:5173/page", "null"]) {
      const { headers } = await call("users", "GET", "/admin/maps", { key, headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
    await served.close();
  });

  it("reads a job's file by its signed URL or with a token, from the storage address", async () => {
    const origin = "http://localhost:5173";
    const file = `${ready.storage_endpoint}/${ready.export_bucket}/results/nobody`;
    const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "authorization" };
    const asked = await fetch(file, { method: "OPTIONS", headers: { origin, ...preflight } });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect((await fetch(file, { headers: { origin } })).headers.get("access-control-allow-origin")).toBe(origin);
    expect((await fetch(file, { headers: { origin: CONSOLE } })).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("of an allowed origin may send preflight requests and read responses; one of another origin may not", async () => {
    const key = keyOf(await newCustomer());
    const served = await serveInProcess({ endpoint: listMaps, config: { ...config(), corsOrigins: [CONSOLE] } });
    const asked = await served.call({ method: "OPTIONS", headers: { origin: CONSOLE, ...ask } });
    expect({ status: asked.status, body: asked.body }).toEqual({ status: 204, body: undefined });
    expect(asked.headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
    expect(asked.headers.get("access-control-allow-headers")).toContain("x-api-key");
    expect(asked.headers.get("access-control-allow-headers")).toContain("if-none-match");
    for (const given of [key, "not-a-key"]) {
      const { headers } = await served.call({ key: given, headers: { origin: CONSOLE } });
      expect(headers.get("access-control-allow-origin")).toBe(CONSOLE);
      expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
    }
    // Whoever has mistyped a path reads what would be right.
    const mistyped = { method: "OPTIONS", path: "/admin/mapz", headers: { origin: CONSOLE, ...ask } };
    expect(await served.call(mistyped)).toMatchObject({ status: 204 });
    const foreign = { origin: `${CONSOLE}.evil.example` };
    expect((await served.call({ key, headers: foreign })).headers.get("access-control-allow-origin")).toBeNull();
    expect(await served.call({ method: "OPTIONS", headers: { ...foreign, ...ask } })).toMatchObject({ status: 405 });
    await served.close();
  });
});
