import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import type { Target } from "../fuzz/target.ts";

const First = v.tuple([v.object({ tick: v.object({ value: v.string() }) })]);
const MINUTE = 60_000;
const TICK_MINUTES = 5;
/** The sample holds two hours of measurements. Only the first forty minutes are used. */
const PAST_TICKS_MAX = 8;

/** Fires the ticks of a run, one per call. */
export type FireTick = () => Promise<void>;

/** Fires ticks of the present, each visible to the customers at once. */
export function presentTicks(target: Target): FireTick {
  return () => fire(target, {});
}

/**
 * Fires ticks at the beginning of the sample's measurements. They leave rows like present ticks, but other users of the same service do not
 * see them, because all have newer ones.
 */
export function pastTicks(target: Target): FireTick {
  let fired = 0;
  return async () => {
    if (fired >= PAST_TICKS_MAX) return;
    const { ready } = target;
    const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
    const query = "SELECT MIN(tick) AS tick FROM `mobility.batches` WHERE table_name = 'presence'";
    const [{ tick }] = v.parse(First, (await bigquery.query({ query, location: "europe-north1" }))[0]);
    const at = new Date(Date.parse(tick.value) + fired * TICK_MINUTES * MINUTE);
    fired += 1;
    await fire(target, { "x-cloudscheduler-scheduletime": at.toISOString() });
  };
}

async function fire({ ready }: Target, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST", headers });
  if (!answer.ok) throw new Error(`The refresh returned ${answer.status}`);
}
