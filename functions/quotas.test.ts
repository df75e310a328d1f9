import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { queriesOfFunctions } from "../infra/testing/function-queries.ts";
import { callInProcess, serveInProcess } from "../infra/testing/in-process.ts";
import { createMap } from "../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready, runJob } from "../infra/testing/service.ts";
import { openKeyFinder } from "../shared/accounts/api-keys.ts";
import { openWarehouse } from "../shared/google/bigquery.ts";
import { firestore } from "../shared/google/firestore.ts";
import { config } from "../shared/runtime/config.ts";
import submit from "./aggregation/submit.ts";

const Usage = v.object({ usage: v.object({ bytesToday: v.number() }) });
const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window };
const activities = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "admin_level_2" };
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

  it("of bytes per day stops one who submits many wide jobs, and nobody else", async () => {
    const wide = { ...odm, full: true, start_time: "2026-01-01", end_time: "2026-12-31" };
    const limits = { runningJobs: 0, bytesPerDay: 1_000_000_000 };
    const [attacker, other] = [keyOf(await newCustomer({ limits })), keyOf(await newCustomer({ limits }))];
    const send = (key: string, body: object = wide) => call("data", "POST", "/data-agg", { key, body });
    const used = async (key: string) => v.parse(Usage, (await call("users", "GET", "/users/me", { key })).body).usage.bytesToday;
    expect(await send(attacker)).toMatchObject({ status: 202 });
    const one = await used(attacker);
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(attacker)));
    const accepted = Math.floor(limits.bytesPerDay / one);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(accepted - 1);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: "resource_exhausted",
      detail: expect.stringContaining("of the 1 GB that a customer may read a day"),
    });
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
    const left = limits.bytesPerDay - accepted * one;
    expect(refused?.headers.get("ratelimit")).toMatch(new RegExp(`^"bytes";r=${left};t=[1-9]\\d*$`));
    expect(refused?.headers.get("ratelimit-policy")).toBe('"bytes";q=1000000000;w=86400');
    expect([await used(attacker), await used(other)]).toEqual([accepted * one, 0]);
    expect(await send(other)).toMatchObject({ status: 202 });
  });

  it("of bytes per day stops one who previews in a loop, and nobody else", async () => {
    const limits = { bytesPerDay: 400_000_000 };
    const [attacker, other] = [keyOf(await newCustomer({ limits })), keyOf(await newCustomer({ limits }))];
    const query = `?${new URLSearchParams({ ...activities, ...window, geo_ids: "784" })}`;
    const ask = (key: string) => call("data", "GET", `/data-agg${query}`, { key });
    const used = async (key: string) => v.parse(Usage, (await call("users", "GET", "/users/me", { key })).body).usage.bytesToday;
    let answered = 0;
    let last = await ask(attacker);
    for (; last.status === 200 && answered < 100; answered++) last = await ask(attacker);
    expect(last).toMatchObject({ status: 429, body: { detail: expect.stringContaining("of the 0.4 GB that a customer may read a day") } });
    expect(last.headers.get("ratelimit")).toMatch(/^"bytes";r=\d+;t=[1-9]\d*$/);
    // Each reads the facts, the geographies and the ledger: 10 MiB at least for each table.
    expect(answered).toBeGreaterThan(5);
    expect(answered * 3 * 10 * 1024 * 1024).toBeLessThanOrEqual(limits.bytesPerDay);
    expect(await used(attacker)).toBeLessThanOrEqual(limits.bytesPerDay);
    // What previews have read is missing for jobs, and the other customer has its own day.
    expect(await call("data", "POST", "/data-agg", { key: attacker, body: { ...odm, full: true } })).toMatchObject({ status: 429 });
    expect(await ask(other)).toMatchObject({ status: 200 });
  });

  it("of bytes per day counts what a finished job was billed, and a cancelled one that never began not at all", async () => {
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const customer = await newCustomer();
    const key = keyOf(customer);
    const used = async () => v.parse(Usage, (await call("users", "GET", "/users/me", { key })).body).usage.bytesToday;
    const { id } = await runJob(key, { ...odm, full: true, start_time: day, end_time: `${day}T23:00:00Z` });
    const warehouse = openWarehouse(config());
    const billed = await Promise.all([`agg_${id}_1_summary`, `agg_${id}_1`].map(async (one) => (await warehouse.bill(one))?.bytes));
    expect(billed.every((bytes) => bytes !== undefined && bytes > 0)).toBe(true);
    const ofJob = (await queriesOfFunctions(ready)).filter(({ labels }) => labels.job === id);
    expect(ofJob.map(({ account, labels }) => [account, labels.customer])).toEqual(Array(2).fill(["fn-aggregation-run", customer.uid]));
    expect(await used()).toBe(billed.reduce<number>((sum, bytes = 0) => sum + bytes, 0));
    const idle = keyOf(await newCustomer({ limits: { runningJobs: 0 } }));
    const { job_id } = v.parse(v.object({ job_id: v.string() }), (await call("data", "POST", "/data-agg", { key: idle, body: odm })).body);
    await call("data", "POST", `/data-agg/cancel/${job_id}`, { key: idle });
    expect((await call("users", "GET", "/users/me", { key: idle })).body).toMatchObject({ usage: { bytesToday: 0 } });
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

describe("the budget of monitored cells", () => {
  const monitorOf = (key: string) => (map_id: string, enable: boolean) =>
    call("data", "POST", "/admin/realtime", { key, body: { map_id, enable } });
  const Used = v.object({ limits: v.object({ monitoredCells: v.number() }), usage: v.object({ monitoredCells: v.number() }) });
  const used = async (key: string) => v.parse(Used, (await call("users", "GET", "/users/me", { key })).body).usage.monitoredCells;

  it("counts what is switched on, changed, switched off and deleted; what would exceed it is a 429", async () => {
    const customer = await newCustomer({ limits: { monitoredCells: 6 } });
    const setUsage = (fields: object) => firestore(config()).collection("customers").doc(customer.uid).update(fields);
    const key = keyOf(customer);
    const toggle = monitorOf(key);
    const map = { type: "grid_250m", country_code: "EST" };
    const found = await call("data", "GET", "/geographies?geo_type=grid_250m&limit=8", { key });
    const { geographies } = v.parse(v.object({ geographies: v.array(v.object({ geo_id: v.number() })) }), found.body);
    const ids = geographies.map(({ geo_id }) => geo_id);
    const first = await createMap(key, { ...map, ids: ids.slice(0, 4) });
    const second = await createMap(key, { ...map, ids: ids.slice(0, 3) });
    // A version is as much as 64 cells, so this budget of 12 in an hour does not even take one, and waiting does not help.
    expect(await toggle(first, true)).toMatchObject({
      status: 429,
      body: { detail: expect.stringMatching(/alone would store 68 cells.* at most 12 within an hour\. Waiting does not help/) },
    });
    await setUsage({ "limits.monitoredCells": 1000 });
    expect(await toggle(first, true)).toMatchObject({ status: 200 });
    expect(await used(key)).toBe(4);
    await setUsage({ "limits.monitoredCells": 6, cellsWritten: { hour: "2000-01-01T00", count: 0 } });
    const refused = await toggle(second, true);
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: "resource_exhausted",
        detail: expect.stringContaining("at most 6 cells together and would have 7; stop monitoring some"),
      },
    });
    expect(refused.headers.get("retry-after")).toBe("3600");
    const put = (body: object) => call("users", "PUT", `/admin/maps/${first}`, { key, body });
    expect(await put({ ids: ids.slice(0, 7) })).toMatchObject({ status: 429 });
    await setUsage({ "limits.monitoredCells": 1000 });
    expect(await put({ ids: ids.slice(0, 2) })).toMatchObject({ status: 200 });
    expect(await toggle(second, true)).toMatchObject({ status: 200 });
    expect(await used(key)).toBe(5);
    expect(await toggle(second, false)).toMatchObject({ status: 200 });
    expect(await used(key)).toBe(2);
    await call("users", "DELETE", `/admin/maps/${first}`, { key });
    expect(await used(key)).toBe(0);
  });
});

it("the geometry of a map is changed sixty times in an hour; its name as often as one likes", async () => {
  const key = keyOf(await newCustomer());
  const id = await createMap(key, polygon);
  const put = (body: object) => call("users", "PUT", `/admin/maps/${id}`, { key, body });
  const changes = Array.from({ length: 60 }, (_, index) => new Date(Date.now() - (50 * 60 - index) * 1000));
  await firestore(config()).collection("maps").doc(id).update({ geometryChanges: changes });
  const refused = await put({ geometry: polygon.geometry.replace("59.5", "59.6") });
  expect(refused).toMatchObject({
    status: 429,
    body: { detail: expect.stringMatching(/changed at most 60 times in an hour; send .* after \d+ seconds/) },
  });
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(5 * 60);
  expect(wait).toBeLessThanOrEqual(10 * 60);
  expect(await put({ name: "Another name", geometry: polygon.geometry })).toMatchObject({ status: 200, body: { name: "Another name" } });
});

describe("the rate limit", () => {
  it("is a 429 with Retry-After for that customer only, and every response reports the remaining requests", async () => {
    const [one, other] = [keyOf(await newCustomer()), keyOf(await newCustomer())];
    const strict = { ...config(), rate: { perSecond: 0.001, burst: 2 } };
    const now = () => new Date("2030-01-01T00:00:00Z");
    const find = openKeyFinder(strict);
    let reads = 0;
    const findKey = (hash: string) => {
      reads += 1;
      return find(hash);
    };
    const served = await serveInProcess({ endpoint: submit, config: strict, now, findKey });
    const answers = [];
    const readsOf: number[] = [];
    for (const key of [one, one, one, one, other]) {
      const before = reads;
      answers.push(await served.call({ key, body: odm }));
      readsOf.push(reads - before);
    }
    await served.close();
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429, 429, 202]);
    // The key is known, and that its customer's limit is spent: a flood of requests costs no reads.
    expect(readsOf.slice(2, 4)).toEqual([0, 0]);
    expect(answers[3]?.headers.get("ratelimit")).toBe('"customer";r=0;t=2000');
    expect(answers[0]?.headers.get("ratelimit")).toBe('"customer";r=1;t=1000');
    expect(answers[2]?.headers.get("retry-after")).toBe("1000");
    expect(answers[2]?.headers.get("ratelimit-policy")).toBe('"customer";q=2;w=2000');
    expect(v.parse(v.object({ code: v.string() }), answers[2]?.body)).toEqual({ code: "resource_exhausted" });
  });
});
