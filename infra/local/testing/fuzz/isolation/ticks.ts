import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import type { Target } from "../target.ts";

const First = v.tuple([v.object({ tick: v.object({ value: v.string() }) })]);
const MINUTE = 60_000;
const TICK_MINUTES = 5;
/** The sample measures two hours back; of these the first forty minutes. */
const PAST_TICKS_MAX = 8;

/** Fires the ticks of a run, one a call. */
export type FireTick = () => Promise<void>;

/** Ticks of now, each shown to the customers at once. */
export function presentTicks(target: Target): FireTick {
  return () => fire(target, {});
}

/**
 * Ticks of the beginning of the sample's measurements: they leave rows as those of now do, but nobody else who shares the service sees them
 * among its own, since all have newer ones.
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
  if (!answer.ok) throw new Error(`The refresh answered ${answer.status}`);
}
