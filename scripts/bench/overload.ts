import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import * as v from "valibot";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { firestore } from "../../shared/google/firestore.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { quantile, report, timed } from "./measure.ts";
import { peakMib, resetPeak, residentMib } from "./process-memory.ts";
import { runJob } from "./run-job.ts";

const CROWD = 1000;
const FEW = 10;
const WAVES = 6;
/** The heap limit of each process of the service. */
const HEAP_MIB = 300;
/** How many requests of the hostile customer are on their way at once, and what the other customer sends meanwhile, and before to compile what runs. */
const HOSTILE_AT_ONCE = 100;
const OTHERS = { warming: 200, requests: 1000, perSecond: 50 };
/** How long the hostile customer asks alone, so that at least 10,000 of its requests are answered in all. */
const AHEAD_MS = 2000;
const P99_RATIO_MAX = 2;
/** The polling interval of a job in milliseconds. */
const LOOK_MS = 25;
const DAY = { start_time: "2020-01-01", end_time: "2020-01-02" };
const BODY = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...DAY };
const Counts = v.object({ running: v.number(), waiting: v.number() });

interface Submitter {
  readonly uid: string;
  readonly key: string;
}

interface Sent {
  readonly status: number;
  readonly ms: number;
}

/**
 * Measures a customer's requests during many more hostile ones of another, against the same requests alone. Then measures ten jobs of a
 * customer during waves of a thousand submissions of another, against the same ten jobs alone.
 */
export async function benchOverload(): Promise<void> {
  // Function instances have little memory. Without a limit, V8 lets the heap grow before it collects garbage.
  process.env.NODE_OPTIONS = `--max-old-space-size=${HEAP_MIB}`;
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const service = await startService(
    parseOptions(["--state", state, "--engines", process.env.POPULUS_ENGINES ?? "embedded"]),
    () => undefined,
  );
  await service.filled;
  try {
    Object.assign(process.env, service.environment);
    await measure(service.ready);
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(ready: Ready): Promise<void> {
  const [crowd, other] = await Promise.all([newSubmitter(ready, "Crowd"), newSubmitter(ready, "Other")]);
  await measureTwoCustomers(ready, crowd, other);
  const few = () => Promise.all(Array.from({ length: FEW }, () => timed(() => runJob(ready, other.key, BODY, LOOK_MS))));
  const pid = ready.pids.functions;
  await few();
  const idle = await few();
  const residents: number[] = [];
  for (let wave = 1; wave <= WAVES; wave++) {
    // The same number of the cheapest authenticated requests: the machine's performance without the jobs.
    const baselineMs = await timed(() => together(() => send(`${ready.data_base_url}/data-agg/jobs?limit=1`, "GET", crowd.key)));
    await refilled();
    const before = residentMib(pid);
    resetPeak(pid);
    const amidst = delay(0).then(few);
    let sent: Sent[] = [];
    const ms = await timed(async () => {
      sent = await together(() => send(`${ready.data_base_url}/data-agg`, "POST", crowd.key, BODY));
    });
    const others = await amidst;
    const left = await unfinished(crowd);
    await untilOver(crowd);
    residents.push(residentMib(pid));
    const times = sent.map((one) => one.ms);
    report({
      bench: "overload",
      what: `${CROWD} submissions at once, wave ${wave}`,
      answers: countsByStatus(sent),
      requests_per_second: (1000 * CROWD) / ms,
      answered_p50_ms: quantile(times, 0.5),
      answered_p95_ms: quantile(times, 0.95),
      answered_max_ms: Math.max(...times),
      baseline_reads_ms: baselineMs,
      ratio: ms / baselineMs,
    });
    report({
      bench: "overload",
      what: `${FEW} jobs of another customer, wave ${wave}`,
      completed_p50_ms: quantile(others, 0.5),
      completed_max_ms: Math.max(...others),
      idle_p50_ms: quantile(idle, 0.5),
      idle_max_ms: Math.max(...idle),
      ratio: quantile(others, 0.5) / quantile(idle, 0.5),
      crowd_unfinished_then: left,
    });
    report({
      bench: "overload",
      what: `memory of the functions, wave ${wave}`,
      before_mib: before,
      peak_mib: peakMib(pid),
      after_mib: residents.at(-1),
    });
  }
  const [, second = Number.NaN] = residents;
  const last = residents.at(-1) ?? Number.NaN;
  report({
    bench: "overload",
    what: `memory from wave 2 to wave ${WAVES}`,
    growth_mib: last - second,
    ratio: last / second,
    budget_ratio: 1.1,
    heap_max_mib: HEAP_MIB,
  });
}

/** Another customer asks at a steady rate, below its limit, while a hostile one keeps a hundred requests on their way. */
async function measureTwoCustomers(ready: Ready, hostile: Submitter, other: Submitter): Promise<void> {
  const all = async (requests: number = OTHERS.requests): Promise<number[]> => {
    const start = performance.now();
    const sent: Promise<Sent>[] = [];
    for (let index = 0; index < requests; index++) {
      await delay(Math.max(0, start + (index * 1000) / OTHERS.perSecond - performance.now()));
      sent.push(send(`${ready.users_base_url}/admin/maps`, "GET", other.key));
    }
    const answers = await Promise.all(sent);
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length > 0) throw new Error(`${refused.length} requests of the other customer were not answered: ${refused[0]?.status}`);
    return answers.map(({ ms }) => ms);
  };
  await all(OTHERS.warming);
  const alone = await all();
  const workerData = { url: `${ready.users_base_url}/admin/maps/check`, key: hostile.key, atOnce: HOSTILE_AT_ONCE };
  const worker = new Worker(new URL("./hostile-client.ts", import.meta.url), { workerData });
  await delay(AHEAD_MS);
  const amidst = await all();
  const ended = once(worker, "message");
  worker.postMessage("over");
  const [answers] = await ended;
  const [aloneP99, amidstP99] = [quantile(alone, 0.99), quantile(amidst, 0.99)];
  report({
    bench: "overload",
    what: `${OTHERS.requests} requests of a customer, ${OTHERS.perSecond} a second, among those of a hostile one, ${HOSTILE_AT_ONCE} at once`,
    hostile_answers: answers,
    alone_p50_ms: quantile(alone, 0.5),
    amidst_p50_ms: quantile(amidst, 0.5),
    alone_p99_ms: aloneP99,
    amidst_p99_ms: amidstP99,
    ratio: amidstP99 / aloneP99,
    budget_ratio: P99_RATIO_MAX,
    met: amidstP99 / aloneP99 <= P99_RATIO_MAX,
  });
}

async function newSubmitter(ready: Ready, name: string): Promise<Submitter> {
  const keys = { storage: { service: "storage", scopes: [], machineAccountAdmin: false } } as const;
  const account = { name, countries: ["EST"], defaultCountry: "EST", keys };
  const customer = await provisionCustomer(functionsConfig(ready.project), ready.metadata_host, account);
  return { uid: customer.uid, key: customer.keys.storage ?? "" };
}

/** Returns the answer's status (0 without an answer) and time. */
async function send(url: string, method: string, key: string, body?: object): Promise<Sent> {
  const start = performance.now();
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const status = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    .then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    })
    .catch(() => 0);
  return { status, ms: performance.now() - start };
}

function countsByStatus(sent: readonly Sent[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(sent, ({ status }) => String(status))].map(([status, all]) => [status, all.length]));
}

function together(one: () => Promise<Sent>): Promise<Sent[]> {
  return Promise.all(Array.from({ length: CROWD }, one));
}

/** The rate limit refills its burst of 500 in five seconds. */
function refilled(): Promise<void> {
  return delay(5_500);
}

/** Returns a customer's number of unfinished jobs, which its quota limits. */
async function unfinished({ uid }: Submitter): Promise<number> {
  const { running, waiting } = v.parse(Counts, (await firestore(parseConfig(process.env)).collection("customers").doc(uid).get()).data());
  return running + waiting;
}

async function untilOver(submitter: Submitter): Promise<void> {
  while ((await unfinished(submitter)) > 0) await delay(200);
}
