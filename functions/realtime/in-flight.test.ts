import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { monitor, monitored, rowsOf } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import { provisionDatasets } from "../../scripts/admin/local/datasets.ts";
import { removeCustomer, revokeAllKeys, setCustomerStatus } from "../../shared/accounts/customer-lifecycle.ts";
import { countries } from "../../shared/countries/countries.ts";
import { deleteRows, openCustomerDataStores } from "../../shared/customer-deletion/delete-data.ts";
import { sweepDeletedCustomers } from "../../shared/customer-deletion/sweep-deleted.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { statement } from "../../shared/google/statement.ts";
import { openMaps } from "../../shared/maps/maps.ts";
import { openCustomerTables } from "../../shared/realtime/customer-tables.ts";
import { refreshHeadcounts } from "../../shared/realtime/refresh.ts";
import { openSnapshots, snapshotRows } from "../../shared/realtime/snapshots.ts";
import { openTicks } from "../../shared/realtime/ticks.ts";
import { parseConfig } from "../../shared/runtime/config.ts";

const config = parseConfig(process.env);
const warehouse = openWarehouse(config);
const db = new Firestore({ projectId: ready.project });
const MAP = { name: "A map", type: "admin_level_2", ids: [784] };

afterAll(() => db.terminate());

/** A tick of now, in which something happens when its statement has run and no snapshot is written yet. Gives how often it happened. */
async function refreshWhile(happen: () => Promise<unknown>): Promise<number> {
  let happened = 0;
  const query: typeof warehouse.query = async (statement, labels) => {
    const rows = await warehouse.query(statement, labels);
    if (statement.sql.includes("FROM `realtime.headcounts`") && happened++ === 0) await happen();
    return rows;
  };
  // Skips older ticks, which belong to other tests.
  const ticks = { ...openTicks(config), pending: async () => [] };
  const quiet = {
    countries: countries(),
    now: () => new Date(),
    log: () => undefined,
    intervalMs: 300_000,
    tickMs: undefined,
    loadJobsADayMax: Number.POSITIVE_INFINITY,
  };
  await refreshHeadcounts(new Date(), {
    warehouse: { ...warehouse, query },
    tables: openCustomerTables(config),
    snapshots: openSnapshots(config),
    ticks,
    ...quiet,
  });
  return happened;
}

/** What `customers delete` does to a customer, as far as realtime is concerned. */
async function remove({ uid }: LocalCustomer): Promise<void> {
  const maps = openMaps(config, snapshotRows);
  await revokeAllKeys(db, uid);
  for (const { id } of await maps.list(uid)) await maps.remove({ uid, id, actor: "service", now: new Date() });
  expect(await removeCustomer(db, uid, new Date())).toBe(true);
  const stores = openCustomerDataStores(config);
  await deleteRows(stores, uid, new Date());
  await stores.snapshots.remove(uid);
}

describe("between a tick's statement and its snapshots", () => {
  it("a map that is switched off or deleted is not shown, then or by the next tick, and the others are", async () => {
    const key = keyOf(await newCustomer());
    const [off, gone, kept] = await Promise.all([1, 2, 3].map(() => monitored(key, MAP)));
    const end = () => Promise.all([monitor(key, off ?? "", false), call("users", "DELETE", `/admin/maps/${gone}`, { key })]);
    expect(await refreshWhile(end)).toBe(1);
    expect(await rowsOf(key)).toMatchObject([{ target_id: kept }]);
    await refreshWhile(async () => undefined);
    expect(await rowsOf(key)).toMatchObject([{ target_id: kept }]);
  });

  it("a suspended customer reads nothing, and the newest tick once active again", async () => {
    const customer = await newCustomer();
    const key = keyOf(customer);
    const id = await monitored(key, MAP);
    await refreshWhile(() => setCustomerStatus(db, customer.uid, "suspended"));
    expect(await call("data", "GET", "/admin/realtime/data", { key })).toMatchObject({ status: 403 });
    await setCustomerStatus(db, customer.uid, "active");
    expect(await rowsOf(key)).toMatchObject([{ target_id: id }]);
  });

  it("a deleted customer reads nothing, gets no snapshot, and its late writes are swept", async () => {
    const customer = await newCustomer();
    const { uid } = customer;
    const key = keyOf(customer);
    await provisionDatasets(config, ready.bigquery_endpoint, uid);
    await monitored(key, MAP);
    await refreshWhile(() => remove(customer));
    expect(await call("data", "GET", "/admin/realtime/data", { key })).toMatchObject({ status: 401 });
    expect((await db.collection("snapshots").doc(uid).get()).exists).toBe(false);
    // As if it had been deleted three hours ago, when a sweep looks at it.
    await db
      .collection("goneCustomers")
      .doc(uid)
      .update({ goneAt: new Date(Date.now() - 3 * 3_600_000) });
    const sweep = () =>
      sweepDeletedCustomers({ ...openCustomerDataStores(config), batch: 500, now: () => new Date(), log: () => undefined });
    const sql = "SELECT COUNT(*) AS n FROM `realtime.headcounts` WHERE uid = @uid";
    const rows = statement(v.strictObject({ n: v.number() }), sql, { uid: { type: "STRING", value: uid } });
    // Ticks of other tests that began before the deletion may still be at work, which no tick is after three hours.
    const left = async () => {
      await sweep();
      return [await warehouse.query(rows, { customer: "all" }), await openCustomerTables(config).of(uid)];
    };
    await expect.poll(left, { timeout: 60_000 }).toEqual([[{ n: 0 }], []]);
  });
});
