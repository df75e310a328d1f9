import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { Failed } from "./client.ts";
import { type Estate, type Running, TICK_S } from "./estate.ts";
import type { Proof } from "./proof.ts";

const Count = v.tuple([v.object({ number: v.number() })]);

/** Fires the next tick at a version, as the schedule does. Returns the proof that the monitored maps were measured at it. */
export async function fireTick({ feed, bigquery }: Estate, { version, ports }: Running): Promise<Proof> {
  const tick = new Date((Math.floor(Date.now() / 1000 / TICK_S) + 1) * TICK_S * 1000);
  await feed(tick);
  await delay(Math.max(0, tick.getTime() - Date.now()));
  const headers = { "x-cloudscheduler-scheduletime": tick.toISOString() };
  const { status } = await fetch(`http://127.0.0.1:${ports["realtime-refresh"]}/`, { method: "POST", headers });
  if (status !== 200) throw new Failed(`The tick ${tick.toISOString()} got ${status} from ${version}`);
  const query = `SELECT COUNT(*) AS number FROM realtime.headcounts WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)
    AND tick = TIMESTAMP '${tick.toISOString()}'`;
  const [rows] = await bigquery.query(query);
  const [{ number }] = v.parse(Count, rows);
  return { what: `headcounts of a tick by ${version}`, found: number, least: 1 };
}
