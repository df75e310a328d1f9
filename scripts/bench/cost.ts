import { Firestore } from "@google-cloud/firestore";
import { catalogue } from "../../functions/catalogue.ts";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { pathOf } from "../../infra/testing/sample-request.ts";
import { successfulRequest } from "../../infra/testing/successful-requests.ts";
import type { Endpoint } from "../../shared/http/define-endpoint.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { jobBodies, type MeasuredJob, measureJobs } from "./cost-of-jobs.ts";
import { measureTicks } from "./cost-of-ticks.ts";
import { quantile, report } from "./measure.ts";
import { averageOf, columnsOf, type MeteredService, startMeteredService, type Used } from "./metered-service.ts";
import { priceOfThousand } from "./prices.ts";
import { openSender } from "./sender.ts";

const RUNS = 6;
const JOBS = 12;
/** The key of a GET is read when the request begins and just before the answer. Then there are the documents that it shows, at least one. */
const READS_OF_KEY = 2;
const JOB_BUDGETS = { operations: 18, tasks: 1, messages: 1, warehouseJobs: { preview: 1, full: 2 }, cpuMs: 15 } as const;
/** Why an endpoint reads more than its key twice and what it shows. */
const MORE_READS: Readonly<Record<string, string>> = {
  "customers-me": "the bytes that instances have leased today are in the database for usage, which any function may write",
  "machine-accounts-list": "the last use of each account is in the database for usage, which any function may write",
};
/** What an endpoint starts by way of topics ends after its answer. */
const QUIET_MS = { answers: 40, starts: 400 } as const;
const STARTING = new Set(["realtime-toggle"]);

/**
 * Measures what each endpoint, each kind of job and a tick cost, from meters between the functions and the local cloud: documents of
 * Firestore, tasks, messages, BigQuery jobs and billed bytes, CPU of the functions, time, and the price of a thousand.
 */
export async function benchCost(): Promise<void> {
  const metered = await startMeteredService();
  const db = new Firestore({ projectId: metered.ready.project, host: metered.ready.firestore_host, ssl: false });
  try {
    for (const endpoint of catalogue) await measureEndpoint(metered, db, endpoint);
    for (const job of jobBodies()) reportJob(await measureJobs(metered, db, job, JOBS));
    await measureTicks(metered);
  } finally {
    await db.terminate();
    await metered.stop();
  }
}

/** One use of the key by each process and five minutes is looked up and noted: not in these rows, since a warm-up request has done it. */
async function measureEndpoint(metered: MeteredService, db: Firestore, endpoint: Endpoint): Promise<void> {
  const { ready, take } = metered;
  const customer = await provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
    name: "Cost",
    countries: ["EST"],
    defaultCountry: "EST",
    // Jobs stay queued, so that nothing else works on them.
    limits: { runningJobs: 0 },
    allow: { scopes: ["realtime"], profiles: ["storage", "warehouse"] },
    keys: { admin: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } },
  });
  const key = customer.keys.admin ?? "";
  const call = openSender(ready);
  const quietMs = STARTING.has(endpoint.name) ? QUIET_MS.starts : QUIET_MS.answers;
  const uses: Used[] = [];
  const times: number[] = [];
  const shown: number[] = [];
  for (let run = -2; run < RUNS; run++) {
    const { params, query, body } = await successfulRequest(endpoint, { uid: customer.uid, key, db, call });
    const path = pathOf(endpoint, params) + query;
    await take(quietMs);
    const { status, ms, body: answer } = await call(endpoint.api, endpoint.method, path, { key, ...(body ? { body } : {}) });
    if (status >= 300) throw new Error(`${endpoint.name} answered ${status}: ${JSON.stringify(answer)}`);
    const used = await take(quietMs);
    if (run < 0) continue;
    uses.push(used);
    times.push(ms);
    // Rows of the warehouse are no documents.
    shown.push(used.warehouseJobs === 0 ? rowsIn(answer) : 0);
  }
  const used = averageOf(uses);
  const wallMs = quantile(times, 0.5);
  const isBudgeted = endpoint.method === "GET" && endpoint.auth !== "none";
  const readsMax = READS_OF_KEY + Math.max(1, shown.reduce((sum, rows) => sum + rows, 0) / RUNS);
  report({
    bench: "cost",
    what: endpoint.name,
    method: endpoint.method,
    runs: RUNS,
    ...columnsOf(used),
    wall_p50_ms: wallMs,
    usd_per_1000: priceOfThousand(used, { requests: 1 + used.messages, wallMs }).usd,
    ...(isBudgeted ? { budget_reads: readsMax, ratio: used.reads / readsMax, met: used.reads <= readsMax && used.writes === 0 } : {}),
    ...(endpoint.name in MORE_READS ? { why: MORE_READS[endpoint.name] } : {}),
  });
}

function reportJob({ what, isFull, used, wallMs, warmCpuMs }: MeasuredJob): void {
  const operations = used.reads + used.writes;
  const warehouseJobsMax = JOB_BUDGETS.warehouseJobs[isFull ? "full" : "preview"];
  const faults = [
    operations > JOB_BUDGETS.operations ? "Firestore operations" : "",
    used.tasks > JOB_BUDGETS.tasks ? "tasks" : "",
    used.messages > JOB_BUDGETS.messages ? "messages" : "",
    used.warehouseJobs > warehouseJobsMax ? "BigQuery jobs" : "",
    warmCpuMs > JOB_BUDGETS.cpuMs ? "CPU" : "",
  ].filter((fault) => fault !== "");
  report({
    bench: "cost",
    what,
    jobs: JOBS,
    firestore_operations: operations,
    ...columnsOf(used),
    warm_cpu_ms: warmCpuMs,
    wall_p50_ms: wallMs,
    usd_per_1000: priceOfThousand(used, { requests: 1 + used.messages, wallMs }).usd,
    budget_firestore_operations: JOB_BUDGETS.operations,
    budget_tasks: JOB_BUDGETS.tasks,
    budget_messages: JOB_BUDGETS.messages,
    budget_warehouse_jobs: warehouseJobsMax,
    budget_warm_cpu_ms: JOB_BUDGETS.cpuMs,
    ratio: operations / JOB_BUDGETS.operations,
    met: faults.length === 0,
    ...(faults.length > 0 ? { not_met: faults.join(", ") } : {}),
  });
}

/** Returns the number of rows of a list in an answer: each may be a document. 0 if it has none. */
function rowsIn(answer: unknown): number {
  const members: unknown[] = typeof answer === "object" && answer !== null ? Object.values(answer) : [];
  return Math.max(0, ...members.map((member) => (Array.isArray(member) ? member.length : 0)));
}
