import { describe, expect, it } from "vitest";
import { serveInProcess } from "../infra/testing/in-process.ts";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";
import { config } from "../shared/runtime/config.ts";
import listMaps from "./maps/list.ts";

const CONSOLE = "https://console.example.org";
const ask = { "access-control-request-method": "POST", "access-control-request-headers": "content-type,x-api-key" };

describe("a page in a browser", () => {
  it("is allowed nowhere unless the deployment names its origin", async () => {
    const key = keyOf(await newCustomer());
    const { headers } = await call("users", "GET", "/admin/maps", { key, headers: { origin: CONSOLE } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(await call("users", "OPTIONS", "/admin/maps", { headers: { origin: CONSOLE, ...ask } })).toMatchObject({ status: 405 });
  });

  it("of an allowed origin may send preflight requests and read responses; one of another origin may not", async () => {
    const key = keyOf(await newCustomer());
    const served = await serveInProcess({ endpoint: listMaps, config: { ...config(), corsOrigins: [CONSOLE] } });
    const asked = await served.call({ method: "OPTIONS", headers: { origin: CONSOLE, ...ask } });
    expect({ status: asked.status, body: asked.body }).toEqual({ status: 204, body: undefined });
    expect(asked.headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
    expect(asked.headers.get("access-control-allow-headers")).toContain("x-api-key");
    for (const given of [key, "not-a-key"]) {
      const { headers } = await served.call({ key: given, headers: { origin: CONSOLE } });
      expect(headers.get("access-control-allow-origin")).toBe(CONSOLE);
      expect(headers.get("vary")).toBe("Origin");
    }
    const foreign = { origin: `${CONSOLE}.evil.example` };
    expect((await served.call({ key, headers: foreign })).headers.get("access-control-allow-origin")).toBeNull();
    expect(await served.call({ method: "OPTIONS", headers: { ...foreign, ...ask } })).toMatchObject({ status: 405 });
    await served.close();
  });
});
