import * as v from "valibot";
import { afterAll, beforeEach, expect, it } from "vitest";
import { PROJECT } from "../../infra/testing/engines/warehouse-under-test.ts";
import { at, startRealtimeWarehouse } from "../../infra/testing/realtime-warehouse.ts";
import { datasetDefinitions } from "../../scripts/admin/local/dataset-definitions.ts";
import { openWarehouse } from "../google/bigquery.ts";
import { parseConfig } from "../runtime/config.ts";
import { CUSTOMER_DATASETS, openCustomerTables } from "./customer-tables.ts";
import { type FillContext, fillCustomerTables } from "./fill-customer-table.ts";
import type { HeadcountRow } from "./headcount-rows.ts";
import { loadCustomerTables } from "./load-customer-tables.ts";

const DAY = 24 * 60;
const warehouse = await startRealtimeWarehouse();
const account = `operator@${PROJECT}.iam.gserviceaccount.com`;
warehouse.identity.addAccount(account);
const { accessToken } = warehouse.identity.mint(account, ["https://www.googleapis.com/auth/cloud-platform"], 3600);
const config = parseConfig({
  ...{ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" },
  ...{ BIGQUERY_URL: warehouse.origin, ACCESS_TOKEN: accessToken },
});
const tables = openCustomerTables(config);
const NOW = at(0);
const context: FillContext = { tables, home: openWarehouse(config), now: () => NOW };
let uid = "";
let customers = 0;

const row = (minutes: number, of = uid): HeadcountRow => ({
  ...{ tick: at(minutes).toISOString(), timestamp: at(minutes).toISOString(), uid: of, target_id: "m", target_name: "M" },
  ...{ people_count: 20, result: "SUCCESS" },
});

/** The minutes of the ticks that each table of the customer has, in order. */
async function minutesIn(): Promise<number[][]> {
  const Ticks = v.array(v.object({ tick: v.object({ value: v.string() }) }));
  return Promise.all(
    CUSTOMER_DATASETS.map(async (dataset) => {
      const query = `SELECT tick FROM ${dataset}.headcounts_${uid} ORDER BY tick`;
      const [rows] = await warehouse.client.query({ query, location: dataset === "realtime_eu" ? "EU" : "europe-north1" });
      return v.parse(Ticks, rows).map(({ tick }) => (Date.parse(tick.value) - at(0).getTime()) / 60_000);
    }),
  );
}

const commit = (...rows: HeadcountRow[]) => warehouse.client.dataset("realtime").table("headcounts").insert(rows);
const PAST = [-20 * DAY, -20 * DAY + 5, -5];

beforeEach(async () => {
  uid = `customer${customers++}`;
  for (const { sql } of datasetDefinitions(uid).scripts) await warehouse.applyDdl(sql);
  await commit(...PAST.map((minutes) => row(minutes)), row(-5, "somebody"));
});

afterAll(() => warehouse.close());

it("a fill brings a customer's headcounts of all weeks before it into both tables, and no others; a second one adds nothing", async () => {
  await commit(row(0), row(5));
  expect(await fillCustomerTables(uid, context)).toHaveLength(2);
  expect(await minutesIn()).toEqual([PAST, PAST]);
  expect((await tables.of(uid)).map(({ fill }) => fill)).toEqual(Array(2).fill({ before: NOW, isDone: true }));
  await fillCustomerTables(uid, { ...context, now: () => at(60) });
  expect(await minutesIn()).toEqual([PAST, PAST]);
});

it("a fill that was cut off goes on where it stopped; each row is there once", async () => {
  for (const cut of [0, 1]) {
    let loads = 0;
    const load: typeof tables.load = async (...given) => {
      const outcome = await tables.load(...given);
      if (loads++ === cut) throw new Error("killed");
      return outcome;
    };
    await expect(fillCustomerTables(uid, { ...context, now: () => at(cut), tables: { ...tables, load } })).rejects.toThrow("killed");
  }
  await fillCustomerTables(uid, { ...context, now: () => at(60) });
  expect(await minutesIn()).toEqual([PAST, PAST]);
});

it("ticks that are loaded before, during and after a fill are there once, whether the fill has read them or not", async () => {
  const load = async (minutes: number) =>
    loadCustomerTables(at(minutes), [row(minutes)], await tables.list(), { tables, log: () => undefined });
  await commit(row(-3));
  expect(await load(-3), "before").toBe(0);
  const setFill: typeof tables.setFill = async (table, fill) => {
    // Under way: the one tick may be among what is read, the other is not.
    if (fill.isDone && table.dataset === "realtime_customers") {
      await commit(row(-2));
      expect(await load(-3), "during, read").toBeGreaterThan(0);
      expect([await load(-2), await load(0)], "during, not read").toEqual([expect.toBeOneOf([1, 2]), 0]);
    }
    await tables.setFill(table, fill);
  };
  await fillCustomerTables(uid, { ...context, tables: { ...tables, setFill } });
  for (let again = 0; again < 2; again++) expect([await load(-3), await load(-2), await load(0), await load(5)]).toEqual([0, 0, 0, 0]);
  const all = [...PAST, -3, -2, 0, 5];
  expect(await minutesIn()).toEqual([all, all]);
});

it("a table that is dropped is no longer loaded; the customer's other tables and other customers' are", async () => {
  await fillCustomerTables(uid, context);
  await warehouse.client.dataset("realtime_eu").table(`headcounts_${uid}`).delete();
  const [listed] = await tables.of(uid);
  expect(await tables.list()).toContainEqual(listed);
  expect(await loadCustomerTables(at(5), [row(5), row(5, "customer0")], await tables.list(), { tables, log: () => undefined })).toBe(0);
  const stale = { dataset: "realtime_eu", uid, fill: { before: NOW, isDone: true } } as const;
  expect(await tables.load(stale, "load_of_a_dropped_table", [row(5)])).toMatchObject({ state: "failed", isMissing: true, isNew: true });
  expect(await tables.drop(uid)).toBe(1);
  expect(await tables.of(uid)).toEqual([]);
});
