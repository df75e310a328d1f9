import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Sender } from "./sender.ts";
import type { Target } from "./target.ts";

const Jobs = v.object({ jobs: v.array(v.object({ status: v.string() })) });
const SETTLE_MS_MAX = 120_000;
const POLL_MS = 20;

/** Waits until all of a sender's jobs have ended, because running jobs change documents. Throws after a timeout. */
export async function settled({ ready }: Target, { customer }: Sender): Promise<void> {
  if (customer.isWaiting) return;
  const until = Date.now() + SETTLE_MS_MAX;
  const unfinished = async (status: string): Promise<number> => {
    const url = `${ready.data_base_url}/data-agg/jobs?limit=1&status=${status}`;
    const answer: unknown = await (await fetch(url, { headers: { "x-api-key": customer.key } })).json();
    const page = v.safeParse(Jobs, answer);
    // Too many concurrent requests: retry.
    return page.success ? page.output.jobs.length : 1;
  };
  while ((await unfinished("queued")) + (await unfinished("running")) > 0) {
    if (Date.now() > until) throw new Error(`The jobs of ${customer.uid} do not end`);
    await delay(POLL_MS);
  }
}
