import { setTimeout as delay } from "node:timers/promises";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { concurrently, quantile, timed } from "./measure.ts";
import { averageOf, type MeteredService, type Used } from "./metered-service.ts";
import { openSender } from "./sender.ts";

/** A kind of job. */
export interface JobKind {
  readonly what: string;
  readonly isFull: boolean;
  readonly body: object;
}

/** What one job of a kind costs from its submission to its end, on average, and how long it takes. */
export interface MeasuredJob extends JobKind {
  /** Of jobs that run alone. */
  readonly used: Used;
  readonly wallMs: number;
  /** CPU of the functions for one of many jobs of several customers, when the code is warm. */
  readonly warmCpuMs: number;
}

const WARM_UP = 4;
/** Jobs at once: the customers' number times what each may run. */
const CROWD = { jobs: 48, customers: 4, width: 12 } as const;
/** How many crowds run before the one that is measured: V8 compiles for the first hundred jobs, and that is CPU of the functions too. */
const CROWDS_BEFORE = 3;
/** After the end of a job its delivery is still to be answered. */
const QUIET_MS = 60;
const POLL_MS = 4;
const Stored = v.object({ status: v.string() });

/** Returns a small job of each product, as a preview and as an export of each format. */
export function jobBodies(): JobKind[] {
  const day = (daysAgo: number): string => new Date(Math.floor(Date.now() / 86_400_000 - daysAgo) * 86_400_000).toISOString();
  const window = { country_code: "EST", start_time: day(3), end_time: day(2) };
  const types = { origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
  const bodies = {
    activities: {
      agg_type: "activities",
      measure: "sum_unique_people",
      activity_type: "hourly",
      geo_type: "admin_level_2",
      ...window,
    },
    odm: { agg_type: "odm", measure: "trips", ...types, ...window },
    flow: { agg_type: "flow", lat: 59.437, lon: 24.7454, ...window },
  };
  return Object.entries(bodies).flatMap(([product, body]) => {
    // The jobs of this benchmark have one coordinate. Another one takes one query more, which finds its road link.
    return [
      { what: `job: ${product}, preview`, isFull: false, body: { ...body, full: false } },
      { what: `job: ${product}, full`, isFull: true, body: { ...body, full: true } },
    ];
  });
}

/** Runs jobs one after the other, each from its submission until it is completed and the wire is quiet, then several at a time. */
export async function measureJobs(metered: MeteredService, db: Firestore, kind: JobKind, count: number): Promise<MeasuredJob> {
  const { ready, take } = metered;
  const keys = await Promise.all(Array.from({ length: CROWD.customers }, () => newKey(ready)));
  const call = openSender(ready);
  const run = async (index: number): Promise<void> => {
    const { body } = await call("data", "POST", "/data-agg", { key: keys[index % keys.length] ?? "", body: kind.body });
    await untilCompleted(db, v.parse(SubmitResponse, body).job_id);
  };
  const uses: Used[] = [];
  const times: number[] = [];
  for (let turn = -WARM_UP; turn < count; turn++) {
    const ms = await timed(() => run(0));
    const used = await take(QUIET_MS);
    if (turn < 0) continue;
    uses.push(used);
    times.push(ms);
  }
  const crowd = async (): Promise<Used> => {
    await concurrently(CROWD.jobs, CROWD.width, run);
    return take(QUIET_MS);
  };
  for (let before = 0; before < CROWDS_BEFORE; before++) await crowd();
  const warm = await crowd();
  return { ...kind, used: averageOf(uses), wallMs: quantile(times, 0.5), warmCpuMs: warm.cpuMs / CROWD.jobs };
}

async function newKey(ready: Ready): Promise<string> {
  const customer = await provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
    name: "Cost of jobs",
    countries: ["EST"],
    defaultCountry: "EST",
    keys: { storage: { service: "storage", scopes: [], machineAccountAdmin: false } },
  });
  return customer.keys.storage ?? "";
}

/** Waits for the end of a job, past the meters. Throws if it does not complete. */
export async function untilCompleted(db: Firestore, id: string): Promise<void> {
  for (;;) {
    const { status } = v.parse(Stored, (await db.collection("jobs").doc(id).get()).data());
    if (status === "completed") return;
    if (status !== "queued" && status !== "running") throw new Error(`A job ended as ${status}`);
    await delay(POLL_MS);
  }
}
