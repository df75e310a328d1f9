import * as v from "valibot";
import { expect } from "vitest";
import { runAsLoader } from "./raw-counts.ts";
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

const Newest = v.tuple([v.object({ tick: v.object({ value: v.string() }) })]);

/**
 * Adds the newest presence again as the measurement of another time, so that it is not stale however long other tests took. Returns the
 * time of the previous newest measurement.
 */
export async function measureAgain(measured: Date): Promise<Date> {
  const [{ tick }] = v.parse(Newest, await runAsLoader("SELECT MAX(tick) AS tick FROM `mobility.batches` WHERE table_name = 'presence'"));
  const [again, newest] = [measured.toISOString(), tick.value].map((time) => `TIMESTAMP '${time}'`);
  for (const [table, values] of [
    ["intake.presence", "country_code, cell_id, people, devices"],
    ["realtime.presence", "country_code, cell_id, people"],
  ])
    await runAsLoader(`INSERT INTO \`${table}\` (tick, ${values}) SELECT ${again}, ${values} FROM \`${table}\` WHERE tick = ${newest}`);
  await runAsLoader(`INSERT INTO \`mobility.batches\` (country_code, table_name, tick, version, row_count, loaded_at)
SELECT country_code, table_name, ${again}, 1, row_count, ${again} FROM \`mobility.batches\` WHERE table_name = 'presence' AND tick = ${newest}`);
  return new Date(tick.value);
}
