import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createMap } from "../../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import type { HeadcountRow } from "../../shared/realtime/headcount-rows.ts";

const MAP = { type: "admin_level_2", ids: [784] };
const DAY = "2026-03-01";
const at = (time: string): string => `${DAY}T${time}:00.000Z`;

const Page = v.object({
  rows: v.array(v.strictObject({ timestamp: v.string(), result: v.string(), subscriber_count: v.number() })),
  next_cursor: v.nullable(v.string()),
});

/** Adds headcounts of a map as ticks do: measured at, result, people, and the tick if it is not that of the measurement. */
async function measured(
  uid: string,
  target_id: string,
  ...headcounts: [time: string, result: HeadcountRow["result"], people: number, tick?: string][]
) {
  const rows = headcounts.map(([time, result, people_count, tick = time]) => ({
    ...{ tick: at(tick), timestamp: at(time), uid, target_id, target_name: "A map", people_count, result },
  }));
  const client = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
  await client.dataset("realtime").table("headcounts").insert(rows);
}

function history(key: string, query: Record<string, string>) {
  return call("data", "GET", `/admin/realtime/history?${new URLSearchParams(query)}`, { key });
}

async function pageOf(key: string, query: Record<string, string>) {
  const answer = await history(key, query);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(Page, answer.body);
}

describe("the history of a map", () => {
  it("has the headcounts of the window, newest first, one row per measurement and result, over as many pages as asked for", async () => {
    const customer = await newCustomer();
    const [key, { uid }] = [keyOf(customer), customer];
    const [map_id, other] = [await createMap(key, MAP), await createMap(key, MAP)];
    await measured(
      ...([uid, map_id] as const),
      ["09:55", "SUCCESS", 1],
      ["10:00", "SUCCESS", 20],
      ["10:05", "SUCCESS", 25],
      // Two ticks have read this measurement: the later one may have read a correction. Then it became stale.
      ["10:05", "SUCCESS", 30, "10:10"],
      ["10:05", "STALE", 0, "10:25"],
      ["10:05", "STALE", 0, "10:30"],
      ["10:30", "SUPPRESSED", 0],
      ["10:35", "SUCCESS", 5],
    );
    await measured(uid, other, ["10:20", "SUCCESS", 99]);
    const window = { map_id, start_time: at("10:00"), end_time: at("10:35") };
    const rows = [
      { timestamp: at("10:30"), result: "SUPPRESSED", subscriber_count: 0 },
      { timestamp: at("10:05"), result: "STALE", subscriber_count: 0 },
      { timestamp: at("10:05"), result: "SUCCESS", subscriber_count: 30 },
      { timestamp: at("10:00"), result: "SUCCESS", subscriber_count: 20 },
    ];
    expect(await pageOf(key, window)).toEqual({ rows, next_cursor: null });
    expect(await pageOf(key, { ...window, limit: "4" })).toEqual({ rows, next_cursor: null });
    for (const limit of [1, 2, 3]) {
      const read: unknown[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await pageOf(key, { ...window, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        read.push(...page.rows);
        cursor = page.next_cursor;
      }
      expect(read).toEqual(rows);
    }
  });

  it("is empty for a map that was never monitored, and that of a deleted or a foreign map is a 404", async () => {
    const customer = await newCustomer();
    const key = keyOf(customer);
    const map_id = await createMap(key, MAP);
    await measured(customer.uid, map_id, ["10:00", "SUCCESS", 20]);
    const never = await createMap(key, MAP);
    const window = { start_time: at("00:00"), end_time: at("12:00") };
    expect(await pageOf(key, { ...window, map_id: never })).toEqual({ rows: [], next_cursor: null });
    expect((await pageOf(key, { ...window, map_id })).rows).toHaveLength(1);
    const missing = { status: 404, body: { code: "not_found" } };
    expect(await history(keyOf(await newCustomer()), { ...window, map_id })).toMatchObject(missing);
    expect(await call("users", "DELETE", `/admin/maps/${map_id}`, { key })).toMatchObject({ status: 200 });
    expect(await history(key, { ...window, map_id })).toMatchObject(missing);
  });

  it("is of at most 400 days and 10,000 rows a page, and its cursor is one of its pages", async () => {
    const key = keyOf(await newCustomer());
    const map_id = await createMap(key, MAP);
    const start_time = "2025-01-01";
    expect(await pageOf(key, { map_id, start_time, end_time: "2026-02-05", limit: "10000" })).toEqual({ rows: [], next_cursor: null });
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await history(key, { map_id, start_time, end_time: "2025-01-02", ...query });
      return { status, errors: v.parse(v.object({ errors: v.array(v.unknown()) }), body).errors };
    };
    const fault = (pointer: string, detail: string) => ({ status: 400, errors: [{ pointer, detail }] });
    expect(await refused({ end_time: "2026-02-05T00:00:01Z" })).toEqual(fault("/end_time", "must be at most 400 days after start_time"));
    expect(await refused({ end_time: start_time })).toEqual(fault("/end_time", "must be after start_time"));
    for (const limit of ["0", "10001", "100000"])
      expect(await refused({ limit })).toEqual(fault("/limit", "must be a whole number from 1 to 10,000"));
    expect(await refused({ cursor: "AAAA" })).toEqual(fault("/cursor", "must be a next_cursor of this list"));
  });
});
