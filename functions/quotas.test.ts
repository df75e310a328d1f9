import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { callInProcess, serveInProcess } from "../infra/testing/in-process.ts";
import { call, keyOf, newCustomer } from "../infra/testing/service.ts";
import { config } from "../shared/runtime/config.ts";
import submit from "./aggregation/submit.ts";

const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const polygon = { name: "A map", type: "custom_polygon", geometry: "POLYGON((24.7 59.4, 24.8 59.4, 24.8 59.5, 24.7 59.4))" };

describe("a quota", () => {
  it("of exports per day is a 429 with the start of the next day; previews still work", async () => {
    const key = keyOf(await newCustomer({ limits: { exportsPerDay: 2 } }));
    const send = (body: object) => call("data", "POST", "/data-agg", { key, body });
    for (let export_ = 0; export_ < 2; export_++) expect(await send({ ...odm, full: true })).toMatchObject({ status: 202 });
    const refused = await send({ ...odm, full: true });
    expect(refused).toMatchObject({ status: 429, body: { code: "resource_exhausted", detail: expect.stringContaining("2 exports") } });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect(await send(odm)).toMatchObject({ status: 202 });
  });

  it("of exports per day resets at midnight UTC", async () => {
    const key = keyOf(await newCustomer({ limits: { exportsPerDay: 1 } }));
    const at = (time: string) => ({ endpoint: submit, config: config(), key, now: () => new Date(time), body: { ...odm, full: true } });
    expect(await callInProcess(at("2030-05-01T23:59:59Z"))).toMatchObject({ status: "queued" });
    expect(await callInProcess(at("2030-05-01T23:59:59Z"))).toMatchObject({ status: 429 });
    expect(await callInProcess(at("2030-05-02T00:00:00Z"))).toMatchObject({ status: "queued" });
  });

  it("of maps and of their geometry is set per customer", async () => {
    const key = keyOf(await newCustomer({ limits: { maps: 1 } }));
    const save = (of: string) => call("users", "POST", "/admin/maps", { key: of, body: polygon });
    expect(await save(key)).toMatchObject({ status: 201 });
    expect(await save(key)).toMatchObject({ status: 429, body: { detail: "A customer may have at most 1 maps; delete some first" } });
    const small = keyOf(await newCustomer({ limits: { geometryBytes: 16 } }));
    expect(await save(small)).toMatchObject({ status: 429, body: { detail: expect.stringContaining("geometry together") } });
  });
});

describe("the rate limit", () => {
  it("is a 429 with Retry-After for that customer only, and every response reports the remaining requests", async () => {
    const [one, other] = [keyOf(await newCustomer()), keyOf(await newCustomer())];
    const strict = { ...config(), rate: { perSecond: 0.001, burst: 2 } };
    const now = () => new Date("2030-01-01T00:00:00Z");
    const served = await serveInProcess({ endpoint: submit, config: strict, now });
    const answers = [];
    for (const key of [one, one, one, other]) answers.push(await served.call({ key, body: odm }));
    await served.close();
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429, 202]);
    expect(answers[0]?.headers.get("ratelimit")).toBe('"customer";r=1;t=1000');
    expect(answers[2]?.headers.get("retry-after")).toBe("1000");
    expect(answers[2]?.headers.get("ratelimit-policy")).toBe('"customer";q=2;w=2000');
    expect(v.parse(v.object({ code: v.string() }), answers[2]?.body)).toEqual({ code: "resource_exhausted" });
  });
});
