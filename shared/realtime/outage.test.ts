import { afterAll, beforeAll, expect, it } from "vitest";
import data from "../../functions/realtime/data.ts";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import { startMetadata } from "../../infra/local/iam/server.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { PROJECT } from "../../infra/testing/engines/warehouse-under-test.ts";
import { fatesOf } from "../../infra/testing/faults/fate.ts";
import { startHttpProxy } from "../../infra/testing/faults/http-proxy.ts";
import { serveInProcess } from "../../infra/testing/in-process.ts";
import { at, COUNTRIES, type RealtimeWarehouse, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";
import { randomOf } from "../../infra/testing/simulation/random.ts";
import { openWarehouse } from "../google/bigquery.ts";
import { firestore } from "../google/firestore.ts";
import { type Config, parseConfig } from "../runtime/config.ts";
import { openCustomerTables } from "./customer-tables.ts";
import { dueGroups, loadGroupOf } from "./load-customer-tables.ts";
import { type RefreshContext, refreshHeadcounts } from "./refresh.ts";
import { openSnapshots } from "./snapshots.ts";
import { ATTEMPTS_MAX } from "./tick-state.ts";
import { openTicks } from "./ticks.ts";

const TICK_MS = 5 * 60_000;
/** The ticks, in an hour, during which nothing reaches the warehouse. */
const DOWN = Array.from({ length: 12 }, (_, index) => 5 + 5 * index);
/** The fates to leave out, so that no call arrives and each fails at once. */
const SPARED = ["unavailable after its effect", "reset", "reset after its effect", "slow"] as const;

let warehouse: RealtimeWarehouse;
let servers: LocalServer[] = [];
let config: Config;

beforeAll(async () => {
  warehouse = await startRealtimeWarehouse();
  const account = `functions@${PROJECT}.iam.gserviceaccount.com`;
  warehouse.identity.addAccount(account);
  const metadata = await startMetadata({ identity: warehouse.identity, project: PROJECT, account });
  const database = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  servers = [metadata, database];
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: database.address,
    GCE_METADATA_HOST: metadata.address,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  });
  config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports", BIGQUERY_URL: warehouse.origin });
  await warehouse.provision("acme");
  // Headcounts are shown only for an existing customer.
  await firestore(config).collection("customers").doc("acme").set({ name: "Acme" });
  // As if the map had been switched on.
  await firestore(config)
    .collection("snapshots")
    .doc("acme")
    .set({ measuredIn: { m: ["EST"] } });
});

afterAll(async () => {
  await firestore(config).terminate();
  await Promise.all([...servers, warehouse].map((server) => server.close()));
});

function refresherOf(of: Config, minutes: number): RefreshContext {
  const stores = { snapshots: openSnapshots(of), ticks: openTicks(of) };
  const quiet = {
    countries: COUNTRIES,
    now: () => at(minutes),
    log: () => undefined,
    intervalMs: TICK_MS,
    tickMs: TICK_MS,
    loadJobsADayMax: Number.POSITIVE_INFINITY,
  };
  return { warehouse: openWarehouse(of), tables: openCustomerTables(of), ...stores, ...quiet };
}

/** Returns the response that the customer reads at a time. */
async function readAt(minutes: number): Promise<unknown> {
  const grants = { scopes: ["realtime"], countries: ["EST"], defaultCountry: "EST", machineAccountAdmin: false } as const;
  const key = { uid: "acme", keyLabel: "main", service: "storage", ...grants } as const;
  const served = await serveInProcess({ endpoint: data, config, now: () => at(minutes), findKey: async () => key });
  const { body } = await served.call({ key: "0".repeat(64) });
  await served.close();
  return body;
}

const response = (minutes: number, result: string, subscriber_count: number) => ({
  rows: [{ timestamp: at(minutes).toISOString(), target_id: "m", target_name: "m v1", result, subscriber_count }],
});

/** The people of each tick: whole steps, so they are published as they are. */
const peopleAt = (minutes: number): number => 100 + 4 * minutes;

it("a warehouse outage of an hour makes rows STALE; they recover, and every tick is computed later, once", async () => {
  for (const minutes of [0, ...DOWN, 65, 70, 75, 80]) await warehouse.measured(at(minutes), { 1: [peopleAt(minutes), 150] });
  await warehouse.append(version("m", 1, { 1: 1 }));
  await refreshHeadcounts(at(0), refresherOf(config, 0));
  expect(await readAt(15)).toEqual(response(0, "SUCCESS", peopleAt(0)));

  const fates = fatesOf(randomOf(1), 1, SPARED);
  const proxy = await startHttpProxy(warehouse.address, fates);
  const behind = { ...config, addresses: { ...config.addresses, bigquery: `http://${proxy.address}` } };
  // The client retries each call for some seconds before it gives up. Run all refreshes concurrently to save time.
  const ends = await Promise.allSettled(DOWN.map((minutes) => refreshHeadcounts(at(minutes), refresherOf(behind, minutes))));
  expect(ends.map(({ status }) => status)).toEqual(DOWN.map(() => "rejected"));
  expect(fates.counts().unavailable).toBeGreaterThanOrEqual(DOWN.length);
  expect([await readAt(16), await readAt(60)]).toEqual([response(0, "STALE", 0), response(0, "STALE", 0)]);

  fates.calm();
  await refreshHeadcounts(at(65), refresherOf(behind, 65));
  expect(await readAt(65)).toEqual(response(65, "SUCCESS", peopleAt(65)));
  for (const minutes of [70, 75, 80]) await refreshHeadcounts(at(minutes), refresherOf(behind, minutes));
  expect(await readAt(80)).toEqual(response(80, "SUCCESS", peopleAt(80)));
  const ticks = [0, ...DOWN, 65, 70, 75, 80].map((minutes) => ({ tick: at(minutes).toISOString(), people: peopleAt(minutes) }));
  for (const table of ["realtime.headcounts", "realtime_customers.headcounts_acme", "realtime_eu.headcounts_acme"]) {
    const sql = `SELECT FORMAT_TIMESTAMP('%FT%H:%M:%E3SZ', tick) AS tick, people_count AS people FROM \`${table}\`
WHERE timestamp > TIMESTAMP '2020-01-01' ORDER BY tick`;
    const location = table.includes("_eu") ? "EU" : "europe-north1";
    expect((await warehouse.client.query({ query: sql, location }))[0], table).toEqual(ticks);
  }
  await proxy.close();
});

it("a tick that would read more than maximumBytesBilled is given up with an ERROR, rows are STALE, and a later tick goes on", async () => {
  const logged: unknown[] = [];
  const log: RefreshContext["log"] = (severity, message, fields) => {
    if (severity === "ERROR") logged.push([message, fields?.tick, fields?.failure]);
  };
  await warehouse.measured(at(180), { 1: [peopleAt(180), 150] });
  // What is billed at least for one table: enough to read the ledger, too little for the tick.
  const tight = { ...refresherOf({ ...config, bytesBilledMax: 10 * 1024 ** 2 }, 180), tickMs: undefined, log };
  for (let calls = 1; calls < ATTEMPTS_MAX / 3; calls++)
    await expect(refreshHeadcounts(at(180), tight)).rejects.toThrow("bytesBilledLimitExceeded");
  expect(logged).toEqual([]);
  await refreshHeadcounts(at(180), tight);
  const failure = expect.stringContaining("bytesBilledLimitExceeded");
  expect(logged).toEqual([["A tick is given up", at(180).toISOString(), failure]]);
  expect(await readAt(180)).toEqual(response(80, "STALE", 0));
  await refreshHeadcounts(at(181), { ...refresherOf(config, 181), tickMs: undefined });
  expect(await readAt(181)).toEqual(response(180, "SUCCESS", peopleAt(180)));
});

it("a customer's tables that are loaded at every third tick lag by two at most, and have every tick once", async () => {
  const every = 3;
  const loadJobsADayMax = (2 * 288) / every;
  const isDue = (minutes: number): boolean => dueGroups(at(minutes), TICK_MS, every).includes(loadGroupOf("acme"));
  const ticksIn = async (table: string): Promise<unknown[]> => {
    const query = `SELECT people_count FROM \`${table}.headcounts_acme\` WHERE timestamp >= TIMESTAMP '${at(300).toISOString()}' ORDER BY tick`;
    const [rows] = await warehouse.client.query({ query, location: table === "realtime_eu" ? "EU" : "europe-north1" });
    return rows.map((row) => row.people_count);
  };
  const run: number[] = [];
  let loaded: number[] = [];
  for (const minutes of [300, 305, 310, 315, 320]) {
    await warehouse.measured(at(minutes), { 1: [peopleAt(minutes), 150] });
    const refresher = { ...refresherOf(config, minutes), tickMs: undefined };
    await refreshHeadcounts(at(minutes), { ...refresher, loadJobsADayMax });
    run.push(peopleAt(minutes));
    if (isDue(minutes)) loaded = [...run];
    expect(run.length - loaded.length).toBeLessThan(every);
    expect([await ticksIn("realtime_customers"), await ticksIn("realtime_eu")]).toEqual([loaded, loaded]);
  }
  // Tables that are few again are loaded at each tick, with what is left.
  await warehouse.measured(at(325), { 1: [peopleAt(325), 150] });
  await refreshHeadcounts(at(325), { ...refresherOf(config, 325), tickMs: undefined });
  run.push(peopleAt(325));
  expect([await ticksIn("realtime_customers"), await ticksIn("realtime_eu")]).toEqual([run, run]);
});
