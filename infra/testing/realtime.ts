import * as v from "valibot";
import { expect } from "vitest";
import type { Warehouse } from "../../shared/google/bigquery.ts";
import { NoRow, statement } from "../../shared/google/statement.ts";
import { call, ready } from "./service.ts";

const Id = v.object({ id: v.string() });
/** The response of `GET /admin/realtime/data`. */
export const Rows = v.object({
  rows: v.array(
    v.object({ timestamp: v.string(), target_id: v.string(), target_name: v.string(), result: v.string(), subscriber_count: v.number() }),
  ),
});

/** Creates a map and returns its id. */
export async function createMap(key: string, map: object): Promise<string> {
  const answer = await call("users", "POST", "/admin/maps", { key, body: { name: "A map", ...map } });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return v.parse(Id, answer.body).id;
}

/** Enables or disables the monitoring of a map. */
export function monitor(key: string, map_id: string, enable = true) {
  return call("data", "POST", "/admin/realtime", { key, body: { map_id, enable } });
}

/** Creates a monitored map and returns its id. */
export async function monitored(key: string, map: object): Promise<string> {
  const id = await createMap(key, map);
  expect(await monitor(key, id)).toMatchObject({ status: 200 });
  return id;
}

/** Fires a tick: by hand for now, or for a scheduled time. */
export async function fire(scheduledAt?: Date): Promise<number> {
  const headers: Record<string, string> = scheduledAt ? { "x-cloudscheduler-scheduletime": scheduledAt.toISOString() } : {};
  return (await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST", headers })).status;
}

/** Returns the customer's realtime rows. */
export async function rowsOf(key: string): Promise<v.InferOutput<typeof Rows>["rows"]> {
  const answer = await call("data", "GET", "/admin/realtime/data", { key });
  expect(answer.status).toBe(200);
  return v.parse(Rows, answer.body).rows;
}

const Newest = v.object({ tick: v.object({ value: v.string() }) });

/**
 * Publishes the newest presence again as the measurement of another time, so that it is not stale however long other tests took. Returns the
 * time of the previous newest measurement.
 */
export async function measureAgain(warehouse: Warehouse, measured: Date): Promise<Date> {
  const sql = "SELECT MAX(tick) AS tick FROM `mobility.batches` WHERE table_name = 'presence'";
  const { tick } = await warehouse.queryOne(statement(Newest, sql, {}), {});
  const parameters = {
    measured: { type: "TIMESTAMP", value: measured.toISOString() },
    newest: { type: "TIMESTAMP", value: tick.value },
  } as const;
  for (const insert of [
    `INSERT INTO \`realtime.presence\` (tick, country_code, cell_id, people)
SELECT @measured, country_code, cell_id, people FROM \`realtime.presence\` WHERE tick = @newest`,
    `INSERT INTO \`mobility.batches\` (country_code, table_name, tick, version, row_count, loaded_at)
SELECT country_code, table_name, @measured, 1, row_count, @measured
FROM \`mobility.batches\` WHERE table_name = 'presence' AND tick = @newest`,
  ])
    await warehouse.query(statement(NoRow, insert, parameters), {});
  return new Date(tick.value);
}
