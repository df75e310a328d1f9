import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { callInProcess } from "../../infra/testing/in-process.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { createMap, fire, measureAgain, monitor, monitored, Rows, rowsOf } from "../../infra/testing/realtime.ts";
import { countryOf } from "../../infra/testing/reference/countries.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { provisionDatasets } from "../../scripts/admin/local/datasets.ts";
import { createKey } from "../../shared/accounts/machine-accounts.ts";
import { countries } from "../../shared/countries/countries.ts";
import { coverCountries } from "../../shared/countries/coverage-by-country.ts";
import { parsePolygon } from "../../shared/geometry/wkt.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { firestore } from "../../shared/google/firestore.ts";
import { statement } from "../../shared/google/statement.ts";
import { deliverMapChange } from "../../shared/realtime/deliver-map-change.ts";
import { deliverPendingMapChanges } from "../../shared/realtime/deliver-pending-changes.ts";
import { mapChangeContext, openMonitoring } from "../../shared/realtime/monitoring.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import data from "./data.ts";
import toggle from "./toggle.ts";

const MINUTE = 60_000;
const { k: K } = countryOf({ country_code: "EST" });
const config = parseConfig(process.env);
const warehouse = openWarehouse(config);
const OLD_TOWN = "POLYGON((24.73 59.43, 24.7612 59.4312, 24.755 59.445, 24.73 59.442, 24.73 59.43))";
const AT_SEA = "POLYGON((24.30 59.75, 24.36 59.75, 24.36 59.78, 24.30 59.78, 24.30 59.75))";
/** In the forests of Alutaguse and on the Gulf of Finland: within the grid of Estonia, where nobody lives. */
const FOREST = "POLYGON((27.20 59.18, 27.25 59.18, 27.25 59.20, 27.20 59.20, 27.20 59.18))";
const GULF = "POLYGON((25.20 59.75, 25.30 59.75, 25.30 59.80, 25.20 59.80, 25.20 59.75))";

/** The measurement that every tick of these tests reads: the newest one of the sample again, as of now, so that it is not stale however long others take. */
const MEASURED = new Date(Math.floor(Date.now() / 1000) * 1000);
const newest = await measureAgain(MEASURED);

const Published = v.object({ cell_id: v.number(), people: v.number() });
const Raw = v.array(v.object({ cell_id: v.number(), devices: v.number() }));

/** The published cells of the newest presence of Estonia, straight from the table. */
function published(): Promise<readonly v.InferOutput<typeof Published>[]> {
  const sql = "SELECT cell_id, people FROM `realtime.presence` WHERE tick = @tick AND country_code = 'EST'";
  return warehouse.query(statement(Published, sql, { tick: { type: "TIMESTAMP", value: MEASURED.toISOString() } }), { customer: "all" });
}

/** The wait is for a row, not for a time: whether it is there decides. */
const WAIT = { timeout: 60_000, interval: 50 };
const LARGER = "POLYGON((24.65 59.40, 24.85 59.40, 24.85 59.46, 24.65 59.46, 24.65 59.40))";
const POLYGON = { name: "Old town", type: "custom_polygon", geometry: OLD_TOWN };

const WarehouseRow = v.object({ target_name: v.string(), people_count: v.number(), scheduled: v.boolean() });

/** Returns the map's rows in the warehouse, oldest tick first, and whether their tick is on the schedule's grid of five minutes. */
function rowsInWarehouse(map_id: string) {
  const sql = `SELECT target_name, people_count, MOD(UNIX_MILLIS(tick), 300000) = 0 AS scheduled
FROM \`realtime.headcounts\` WHERE target_id = @map_id AND timestamp > TIMESTAMP '2020-01-01' ORDER BY tick`;
  return warehouse.query(statement(WarehouseRow, sql, { map_id: { type: "STRING", value: map_id } }), { customer: "all" });
}

describe("switching a map on", () => {
  it("confirms it, with the number of changed warehouse rows; none if it is repeated, or switches off a map that is off", async () => {
    const key = keyOf(await newCustomer());
    const id = await createMap(key, { type: "admin_level_2", ids: [784] });
    const off = { status: 200, body: { msg: "Realtime monitoring disabled", map_id: id, is_monitored: false, bq_updated_rows: 0 } };
    const on = { status: 200, body: { msg: "Realtime monitoring enabled", map_id: id, is_monitored: true, bq_updated_rows: 1 } };
    expect(await monitor(key, id, false)).toMatchObject(off);
    expect(await monitor(key, id)).toMatchObject(on);
    expect(await monitor(key, id)).toMatchObject({ ...on, body: { ...on.body, bq_updated_rows: 0 } });
    expect((await call("users", "GET", "/admin/maps/monitored", { key })).body).toEqual({ count: 1, monitored_map_ids: [id] });
    expect(await monitor(key, id, false)).toMatchObject({ ...off, body: { ...off.body, bq_updated_rows: 1 } });
    expect((await call("users", "GET", "/admin/maps/monitored", { key })).body).toEqual({ count: 0, monitored_map_ids: [] });
  });

  it("is refused by a key that covers no country of the polygon; switching off is not", async () => {
    const customer = await newCustomer();
    const [key, uid] = [keyOf(customer), customer.uid];
    const grants = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false, countries: ["NOR"] } as const;
    const making = { uid, keyLabel: "norway", environment: config.environment, now: new Date(), decide: () => grants };
    const { apiKey: norway } = await createKey(firestore(config), making);
    const id = await createMap(key, { type: "custom_polygon", geometry: OLD_TOWN });
    const detail = "lies outside the countries of this key (NOR)";
    expect(await monitor(norway, id)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/map_id", detail }] } });
    expect(await monitor(key, id)).toMatchObject({ status: 200 });
    expect(await monitor(norway, id, false)).toMatchObject({ status: 200 });
  });

  it("is for the map's owner only, and needs the Realtime scope", async () => {
    const key = keyOf(await newCustomer());
    const id = await createMap(key, { type: "admin_level_2", ids: [784] });
    expect(await monitor(keyOf(await newCustomer()), id)).toMatchObject({ status: 404, body: { code: "not_found" } });
    const plain = { service: "storage", scopes: [], machineAccountAdmin: false } as const;
    const unscoped = keyOf(await newCustomer({ keys: { storage: plain } }));
    expect(await monitor(unscoped, id)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect(await call("data", "GET", "/admin/realtime/data", { key: unscoped })).toMatchObject({ status: 403 });
  });

  it("works for forty maps, twenty at once", async () => {
    const key = keyOf(await newCustomer());
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, n) => createMap(key, { name: `Map ${n}`, type: "admin_level_2", ids: [784] })),
    );
    const answers = [];
    for (let first = 0; first < ids.length; first += 20)
      answers.push(...(await Promise.all(ids.slice(first, first + 20).map((id) => monitor(key, id)))));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      ids.map((map_id) => [200, { msg: "Realtime monitoring enabled", map_id, is_monitored: true, bq_updated_rows: 1 }]),
    );
    await fire();
    const rows = await rowsOf(key);
    expect(new Set(rows.map(({ target_id }) => target_id))).toEqual(new Set(ids));
    expect(new Set(rows.map(({ subscriber_count }) => subscriber_count)).size).toBe(1);
  });
});

describe("a map that is switched on or changed", () => {
  it("has its headcount at once, without a tick, in realtime data and in its history", async () => {
    const key = keyOf(await newCustomer());
    const map_id = await monitored(key, POLYGON);
    const row = await vi.waitUntil(async () => (await rowsOf(key))[0], WAIT);
    expect(row).toMatchObject({ target_id: map_id, target_name: "Old town", result: "SUCCESS" });
    expect(row.subscriber_count).toBeGreaterThan(0);
    const [alone] = await rowsInWarehouse(map_id);
    expect(alone).toEqual({ target_name: "Old town", people_count: row.subscriber_count, scheduled: false });
    const { timestamp, result, subscriber_count } = row;
    const query = new URLSearchParams({ map_id, start_time: timestamp, end_time: new Date(Date.parse(timestamp) + 1000).toISOString() });
    expect((await call("data", "GET", `/admin/realtime/history?${query}`, { key })).body).toEqual({
      rows: [{ timestamp, result, subscriber_count }],
      next_cursor: null,
    });
  });

  it("is measured once, however often it is enabled, and again when it changes", async () => {
    const key = keyOf(await newCustomer());
    const id = await monitored(key, POLYGON);
    await Promise.all([monitor(key, id), monitor(key, id)]);
    const before = await vi.waitUntil(async () => (await rowsOf(key))[0], WAIT);
    const change = { name: "Tallinn", geometry: LARGER };
    expect(await call("users", "PUT", `/admin/maps/${id}`, { key, body: change })).toMatchObject({ status: 200 });
    const after = await vi.waitUntil(async () => (await rowsOf(key)).find(({ target_name }) => target_name === "Tallinn"), WAIT);
    expect(after.subscriber_count).toBeGreaterThan(before.subscriber_count);
    // Ticks of other tests measure every map.
    const alone = (await rowsInWarehouse(id)).filter(({ scheduled }) => !scheduled).map(({ target_name }) => target_name);
    expect(new Set(alone)).toEqual(new Set(["Old town", "Tallinn"]));
  });

  it("that is switched off and on again shows the headcount of the second switch, and nothing in between", async () => {
    const key = keyOf(await newCustomer());
    const id = await monitored(key, POLYGON);
    await vi.waitUntil(async () => (await rowsOf(key)).length > 0, WAIT);
    expect(await monitor(key, id, false)).toMatchObject({ status: 200 });
    expect(await rowsOf(key)).toEqual([]);
    expect(await monitor(key, id)).toMatchObject({ status: 200 });
    await vi.waitUntil(async () => (await rowsOf(key)).length > 0, WAIT);
    expect(await call("users", "DELETE", `/admin/maps/${id}`, { key })).toMatchObject({ status: 200 });
    expect(await rowsOf(key)).toEqual([]);
  });
});

describe("a tick", () => {
  it("publishes the headcount of a polygon: its share of each publishable cell", async () => {
    const key = keyOf(await newCustomer());
    const id = await monitored(key, { name: "Old town", type: "custom_polygon", geometry: OLD_TOWN });
    const people = new Map((await published()).map((row) => [row.cell_id, row.people]));
    const parsed = parsePolygon(OLD_TOWN);
    if (!parsed.ok) throw new Error(parsed.detail);
    const estonia = coverCountries(parsed.polygon, countries()).find(({ country }) => country === "EST");
    const expected = estonia?.cells.reduce((sum, { cellId, weight }) => sum + weight * (people.get(cellId) ?? 0), 0) ?? 0;
    expect(expected).toBeGreaterThan(1000);
    await fire();
    expect(await rowsOf(key)).toEqual([
      {
        timestamp: MEASURED.toISOString(),
        target_id: id,
        target_name: "Old town",
        result: "SUCCESS",
        subscriber_count: Math.round(expected),
      },
    ]);
  });

  it("reports why a headcount is withheld", async () => {
    const key = keyOf(await newCustomer());
    const sqlOfRaw = `SELECT cell_id, devices FROM intake.presence WHERE tick = '${MEASURED.toISOString()}' AND country_code = 'EST' ORDER BY cell_id`;
    const rows = v.parse(Raw, await runAsLoader(sqlOfRaw));
    const few = rows.find(({ devices }) => devices < K)?.cell_id ?? 0;
    const sql = "SELECT geo_id FROM `mobility.geographies` WHERE country_code = 'EST' AND geo_type = 'grid_250m' ORDER BY geo_id";
    const cells = await warehouse.query(statement(v.object({ geo_id: v.number() }), sql, {}), { customer: "all" });
    const present = new Set(rows.map(({ cell_id }) => cell_id));
    const empty = cells.find(({ geo_id }) => !present.has(geo_id))?.geo_id ?? 0;
    await monitored(key, { name: "a few", type: "grid_250m", ids: [few] });
    await monitored(key, { name: "empty", type: "grid_250m", ids: [empty] });
    await monitored(key, { name: "far", type: "custom_polygon", geometry: AT_SEA });
    await monitored(key, { name: "forest", type: "custom_polygon", geometry: FOREST });
    await monitored(key, { name: "gulf", type: "custom_polygon", geometry: GULF });
    await fire();
    expect((await rowsOf(key)).map(({ target_name, result, subscriber_count }) => [target_name, result, subscriber_count])).toEqual([
      ["a few", "SUPPRESSED", 0],
      ["empty", "SUPPRESSED", 0],
      ["far", "OUT_OF_COVERAGE", 0],
      ["forest", "SUPPRESSED", 0],
      ["gulf", "OUT_OF_COVERAGE", 0],
    ]);
  });

  it("is shown as stale once it is a quarter of an hour old", async () => {
    const key = keyOf(await newCustomer());
    await monitored(key, { name: "old", type: "admin_level_2", ids: [784] });
    await fire();
    const at = async (minutes: number) => {
      const now = () => new Date(MEASURED.getTime() + minutes * MINUTE);
      const [row] = v.parse(Rows, await callInProcess({ endpoint: data, config, now, key })).rows;
      return [row?.result, (row?.subscriber_count ?? 0) > 0, row?.timestamp];
    };
    expect([await at(15), await at(16)]).toEqual([
      ["SUCCESS", true, MEASURED.toISOString()],
      ["STALE", false, MEASURED.toISOString()],
    ]);
  });

  it("of one scheduled time is computed once, and a late tick overwrites no newer one", async () => {
    const key = keyOf(await newCustomer());
    const id = await monitored(key, { type: "admin_level_2", ids: [784] });
    await fire();
    const rows = await rowsOf(key);
    expect(rows).toMatchObject([{ target_id: id, result: "SUCCESS" }]);
    const late = new Date(newest.getTime() - 30 * MINUTE);
    expect([await fire(late), await fire(new Date(late.getTime() + 9_000))]).toEqual([200, 200]);
    expect(await rowsOf(key)).toEqual(rows);
    const sql =
      "SELECT COUNT(*) AS n FROM `realtime.headcounts` WHERE target_id = @id AND tick = @late AND timestamp > TIMESTAMP '2020-01-01'";
    const parameters = { id: { type: "STRING", value: id }, late: { type: "TIMESTAMP", value: late.toISOString() } } as const;
    expect(await warehouse.query(statement(v.strictObject({ n: v.number() }), sql, parameters), { customer: "all" })).toEqual([{ n: 1 }]);
  });

  it("in the future is rejected: it would hide the current ones", async () => {
    expect(await fire(new Date(Date.now() + 60 * MINUTE))).toBe(500);
  });

  it("is the first to show a map that was switched on again: no older row is shown for it", async () => {
    const key = keyOf(await newCustomer());
    const id = await monitored(key, { name: "before", type: "admin_level_2", ids: [784] });
    await fire();
    await monitor(key, id, false);
    await call("users", "PUT", `/admin/maps/${id}`, { key, body: { name: "after" } });
    await monitor(key, id);
    expect(await rowsOf(key)).toEqual([]);
    await fire();
    expect(await rowsOf(key)).toMatchObject([{ target_id: id, target_name: "after", result: "SUCCESS" }]);
  });

  it("shows what was edited, switched off or deleted since the last", async () => {
    const key = keyOf(await newCustomer());
    const [kept, off, gone] = await Promise.all([
      monitored(key, { name: "kept", type: "admin_level_2", ids: [784] }),
      monitored(key, { name: "off", type: "admin_level_2", ids: [784] }),
      monitored(key, { name: "gone", type: "admin_level_2", ids: [784] }),
    ]);
    await fire();
    const before = await rowsOf(key);
    expect(before.map(({ target_name }) => target_name)).toEqual(["gone", "kept", "off"]);
    await monitor(key, off, false);
    expect((await call("users", "DELETE", `/admin/maps/${gone}`, { key })).status).toBe(200);
    expect((await rowsOf(key)).map(({ target_name }) => target_name)).toEqual(["kept"]);
    const body = { name: "moved", type: "custom_polygon", geometry: OLD_TOWN };
    expect((await call("users", "PUT", `/admin/maps/${kept}`, { key, body })).status).toBe(200);
    await fire();
    const [moved, ...others] = await rowsOf(key);
    expect(others).toEqual([]);
    expect(moved).toMatchObject({ target_id: kept, target_name: "moved", result: "SUCCESS" });
    expect(moved?.subscriber_count).toBeLessThan(before[1]?.subscriber_count ?? 0);
  });

  it("returns to each customer only its own maps, and only the countries that it covers", async () => {
    const [one, two] = [keyOf(await newCustomer()), keyOf(await newCustomer({ countries: ["NOR"], defaultCountry: "NOR" }))];
    const mine = await monitored(one, { name: "same", type: "custom_polygon", geometry: OLD_TOWN });
    // As if the customer had lost the polygon's country after it was switched on.
    const theirs = await monitored(two, { name: "same", type: "admin_level_2", ids: [301] });
    const monitoring = openMonitoring(config);
    const owner = (await monitoring.maps.get(theirs))?.uid ?? "";
    const moved = { name: "same", description: "", type: "custom_polygon", geometry: OLD_TOWN, ids: null, countryCode: null } as const;
    await monitoring.maps.update(
      { uid: owner, id: theirs, actor: "service", now: new Date(), counted: { ...moved, cells: 60, countries: [] } },
      () => moved,
    );
    await deliverMapChange(
      theirs,
      mapChangeContext(monitoring, countries(), () => new Date()),
    );
    await fire();
    expect(await rowsOf(one)).toMatchObject([{ target_id: mine, result: "SUCCESS" }]);
    expect(await rowsOf(two)).toMatchObject([{ target_id: theirs, result: "OUT_OF_COVERAGE", subscriber_count: 0 }]);
  });
});

describe("a polygon with too many cells", () => {
  const teeth = Array.from({ length: 600 }, (_, n) => 24 + n * 0.0044).map((x) => `${x} 57.91, ${x + 0.0002} 59.6, ${x + 0.0004} 57.91`);
  const comb = { type: "custom_polygon", geometry: `POLYGON((24 57.9, ${teeth.join(", ")}, 26.7 57.9, 24 57.9))` };
  const key = newCustomer().then((customer) => keyOf(customer));

  it("is saved, but cannot be switched on or replace the polygon of a monitored map", async () => {
    const id = await createMap(await key, comb);
    const refusal = { status: 400, body: { errors: [{ detail: expect.stringContaining("at most 200,000 can be monitored") }] } };
    expect(await monitor(await key, id)).toMatchObject(refusal);
    const other = await monitored(await key, { type: "admin_level_2", ids: [784] });
    expect(await call("users", "PUT", `/admin/maps/${other}`, { key: await key, body: comb })).toMatchObject(refusal);
  });

  it("that counted fewer before its customer had another country is out of coverage, and no change stays pending", async () => {
    const id = await createMap(await key, comb);
    const monitoring = openMonitoring(config);
    const map = await monitoring.maps.get(id);
    if (!map) throw new Error("the map was created");
    await monitoring.maps.setMonitored({
      ...{ uid: map.uid, id, isMonitored: true, actor: "service", now: new Date() },
      counted: { ...map, cells: 1, countries: ["EST"] },
    });
    expect(
      await deliverMapChange(
        id,
        mapChangeContext(monitoring, countries(), () => new Date()),
      ),
    ).toBe(1);
    expect(await monitoring.changes.get(id)).toBeUndefined();
    await fire();
    expect((await rowsOf(await key)).find(({ target_id }) => target_id === id)).toMatchObject({ result: "OUT_OF_COVERAGE" });
  });
});

describe("a toggle that did not reach the warehouse", () => {
  it("is finished by the sweeper and shows in the next tick", async () => {
    const key = keyOf(await newCustomer());
    const id = await createMap(key, { name: "late", type: "admin_level_2", ids: [784] });
    const broken = parseConfig({ ...process.env, BIGQUERY_URL: "http://127.0.0.1:9" });
    const monitoring = openMonitoring(config);
    expect(await callInProcess({ endpoint: toggle, config: broken, key, body: { map_id: id, enable: true } })).toMatchObject({
      is_monitored: true,
      bq_updated_rows: 0,
    });
    const inTwoMinutes = () => new Date(Date.now() + 2 * MINUTE);
    await deliverPendingMapChanges({
      ...mapChangeContext(monitoring, countries(), inTwoMinutes),
      changes: monitoring.changes,
      warehouse,
      log: () => undefined,
    });
    await fire();
    expect(await rowsOf(key)).toMatchObject([{ target_id: id, target_name: "late", result: "SUCCESS" }]);
  });
});

describe("the customer's dataset", () => {
  it("returns the API's numbers for the specification's query, and gives access to nothing else", async () => {
    const customer = await newCustomer();
    const other = await newCustomer();
    const endpoint = ready.bigquery_endpoint;
    const project = functionsConfig(ready.project);
    const dataset = await provisionDatasets(project, endpoint, customer.uid);
    const foreign = await provisionDatasets(project, endpoint, other.uid);
    const key = keyOf(customer, "warehouse");
    await monitored(key, { name: "Tallinn", type: "admin_level_2", ids: [784] });
    // It is measured at once, and the first tick brings that into the dataset: no later tick adds a row of this customer.
    await vi.waitFor(async () => expect(await rowsOf(key)).toHaveLength(1), WAIT);
    await monitored(keyOf(other), { name: "theirs", type: "admin_level_2", ids: [784] });
    await fire();
    await fire();
    const [row] = await rowsOf(key);
    const Login = v.object({ accessToken: v.string() });
    const tokenOf = async (service: string): Promise<string> =>
      v.parse(Login, (await call("users", "POST", "/login-with-apikey", { key, body: { service } })).body).accessToken;
    const clientOf = (access_token: string): BigQuery => {
      const authClient = new OAuth2Client();
      authClient.setCredentials({ access_token, expiry_date: Date.now() + 3_600_000 });
      return new BigQuery({ projectId: ready.project, apiEndpoint: endpoint, authClient });
    };
    const client = clientOf(await tokenOf("warehouse"));
    const since = new Date(MEASURED.getTime() - 60 * MINUTE).toISOString();
    const select = (table: string) => ({
      query: `SELECT target_name, timestamp, people_count FROM \`${table}\` WHERE timestamp >= TIMESTAMP '${since}' ORDER BY timestamp DESC LIMIT 20`,
      location: "europe-north1",
      useQueryCache: false,
    });
    const [rows] = await client.query(select(`${dataset}.realtime_data`));
    expect(rows).toMatchObject([
      { target_name: "Tallinn", timestamp: { value: MEASURED.toISOString() }, people_count: row?.subscriber_count },
    ]);
    for (const table of [`${foreign}.realtime_data`, "realtime.headcounts", "realtime.presence", "intake.presence"])
      await expect(client.query(select(table)), table).rejects.toMatchObject({ code: 403 });
    await expect(clientOf(await tokenOf("storage")).query(select(`${dataset}.realtime_data`))).rejects.toMatchObject({ code: 403 });
    const shared = { ...select(`${dataset}_eu.target_country_summary_view_customer`), location: "EU" };
    const operator = new BigQuery({ projectId: ready.project, apiEndpoint: endpoint });
    const [copied] = await operator.query(shared);
    expect(copied).toMatchObject([{ target_name: "Tallinn", people_count: row?.subscriber_count }]);
    const Processed = v.object({ statistics: v.object({ totalBytesProcessed: v.string() }) });
    const counted = `SELECT COUNT(*) AS held FROM \`realtime_customers.headcounts_${customer.uid}\` WHERE timestamp >= TIMESTAMP '${since}'`;
    const Held = v.tuple([v.object({ held: v.number() })]);
    const rowsHeld = async () => v.parse(Held, (await operator.query({ query: counted, location: "europe-north1" }))[0])[0].held;
    // A tick that another test fired may still add a row of this customer: they are counted before and after.
    const bytesOfRow = () =>
      vi.waitFor(async () => {
        const held = await rowsHeld();
        const [{ metadata }] = await client.createQueryJob({ ...select(`${dataset}.realtime_data`), dryRun: true });
        expect(await rowsHeld()).toBe(held);
        return Number(v.parse(Processed, metadata).statistics.totalBytesProcessed) / held;
      }, WAIT);
    await monitor(key, row?.target_id ?? "", false);
    const before = await bytesOfRow();
    expect(before).toBeGreaterThan(0);
    for (let first = 0; first < 50; first += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, place) => monitored(keyOf(other), { name: `${first + place}`, type: "admin_level_2", ids: [784] })),
      );
    await fire();
    expect(await rowsOf(keyOf(other))).toHaveLength(51);
    expect(await bytesOfRow()).toBe(before);
    const beside = { ...select(""), query: `SELECT target_id, result FROM \`${dataset}.realtime_data\`` };
    expect((await client.query(beside))[0]).toEqual([{ target_id: row?.target_id, result: "SUCCESS" }]);
  });
});
