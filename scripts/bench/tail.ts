import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { untilCompleted } from "./cost-of-jobs.ts";
import { dayOf } from "./growth-probes.ts";
import { quantile, report } from "./measure.ts";
import { addCustomers, type Inhabitant } from "./population.ts";
import { cpuMs, mainThreadWaitMs } from "./process-cpu.ts";
import { openSender } from "./sender.ts";

const PER_SECOND = 200;
const SECONDS = 60;
const WARM_UP_SECONDS = 10;
/** Each may send 100 requests a second. */
const CUSTOMERS = 8;
const P99_RATIO_MAX = 3;
const LOOP_MS_MAX = 20;
const Late = v.pipe(v.string(), v.parseJson(), v.object({ at: v.number(), p50_ms: v.number(), p99_ms: v.number(), max_ms: v.number() }));

/**
 * Measures warm GETs at 200 a second for a minute, sent on time however late the answers are, and how late the event loops of the functions
 * and of the local cloud are.
 */
export async function benchTail(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const loops = { functions: join(state, "functions-loop.jsonl"), localCloud: join(state, "cloud-loop.jsonl") };
  // The local cloud has the environment of this process; that of the functions has precedence over it.
  process.env.NODE_OPTIONS = `--import=${fileURLToPath(new URL("event-loop-delay.ts", import.meta.url))}`;
  process.env.EVENT_LOOP_FILE = loops.localCloud;
  const service = await startService(
    parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--days", "5"]),
    () => undefined,
    { between: async (environment) => ({ ...environment, EVENT_LOOP_FILE: loops.functions }) },
  );
  await service.filled;
  const db = new Firestore({ projectId: service.ready.project, host: service.ready.firestore_host, ssl: false });
  try {
    await measure(service.ready, await addCustomers(db, service.ready.project, CUSTOMERS), db, loops);
  } finally {
    await db.terminate();
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(ready: Ready, customers: readonly Inhabitant[], db: Firestore, loops: Loops): Promise<void> {
  const call = openSender(ready);
  const jobs = await Promise.all(
    customers.map(async ({ key }) => {
      const { body } = await call("data", "POST", "/data-agg", { key, body: dayOf(3) });
      const { job_id } = v.parse(SubmitResponse, body);
      await untilCompleted(db, job_id);
      return job_id;
    }),
  );
  const paths = [
    (index: number) => ["data", `/data-agg/status/${jobs[index]}`] as const,
    (index: number) => ["data", `/data-agg/results/${jobs[index]}`] as const,
    () => ["data", "/admin/realtime/data"] as const,
    () => ["users", "/admin/maps"] as const,
    () => ["data", "/data-agg/jobs?limit=20"] as const,
  ];
  const times: number[] = [];
  const timesOf = new Map<string, number[]>();
  let failed = 0;
  const send = async (number: number, isCounted: boolean): Promise<void> => {
    const index = number % customers.length;
    const [api, path] = paths[number % paths.length]?.(index) ?? ["data", "/countries"];
    const { status, ms } = await call(api, "GET", path, { key: customers[index]?.key ?? "" });
    if (!isCounted) return;
    times.push(ms);
    const kind = path.replace(jobs[index] ?? "", "{job_id}");
    timesOf.set(kind, [...(timesOf.get(kind) ?? []), ms]);
    if (status !== 200) failed++;
  };
  await atRate(WARM_UP_SECONDS, (number) => send(number, false));
  const began = Date.now();
  const before = useOf(ready);
  await atRate(SECONDS, (number) => send(number, true));
  const after = useOf(ready);
  const share = (of: keyof Use): number => (after[of] - before[of]) / times.length;
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  report({
    bench: "tail",
    what: `warm GETs at ${PER_SECOND} a second for ${SECONDS} s`,
    requests: times.length,
    failed,
    p50_ms: p50,
    p95_ms: quantile(times, 0.95),
    p99_ms: p99,
    worst_ms: Math.max(...times),
    cpu_ms_a_request: share("service"),
    local_cloud_cpu_ms_a_request: share("localCloud"),
    sender_cpu_ms_a_request: share("sender"),
    // How long the event loops were ready to run, while other threads had both processors.
    service_waits_for_processor_ms_a_request: share("serviceWaits"),
    local_cloud_waits_for_processor_ms_a_request: share("localCloudWaits"),
    cores_busy: (PER_SECOND * (share("service") + share("localCloud") + share("sender"))) / 1000,
    budget_ratio: P99_RATIO_MAX,
    ratio: p99 / p50,
    met: failed === 0 && p99 / p50 <= P99_RATIO_MAX,
  });
  for (const [kind, own] of timesOf)
    report({ bench: "tail", what: `GET ${kind} among them`, p50_ms: quantile(own, 0.5), p99_ms: quantile(own, 0.99) });
  const ofFunctions = lateness(loops.functions, began);
  report({
    bench: "tail",
    what: "delay of the functions' event loop meanwhile, by second",
    ...ofFunctions,
    budget_ms: LOOP_MS_MAX,
    ratio: ofFunctions.median_of_p99_ms / LOOP_MS_MAX,
    met: ofFunctions.seconds > 0 && ofFunctions.median_of_p99_ms <= LOOP_MS_MAX,
  });
  report({ bench: "tail", what: "delay of the local cloud's event loop meanwhile, by second", ...lateness(loops.localCloud, began) });
}

/** The files to which the event loops write how late they are. */
interface Loops {
  readonly functions: string;
  readonly localCloud: string;
}

/** Returns how late an event loop was in the seconds after an instant. */
function lateness(file: string, began: number) {
  const late = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : v.parse(Late, line)))
    .filter(({ at }) => at > began + 1000);
  const p99s = late.map(({ p99_ms }) => p99_ms);
  return {
    seconds: late.length,
    median_of_p99_ms: quantile(p99s, 0.5),
    worst_p99_ms: Math.max(...p99s),
    worst_ms: Math.max(...late.map(({ max_ms }) => max_ms)),
  };
}

/**
 * The CPU milliseconds so far of the functions, of the local cloud that stands in for Google's services, and of this process; and how long the event
 * loops of the first two waited for a processor.
 */
interface Use {
  readonly service: number;
  readonly localCloud: number;
  readonly sender: number;
  readonly serviceWaits: number;
  readonly localCloudWaits: number;
}

function useOf({ pids }: Ready): Use {
  return {
    service: cpuMs(pids.functions),
    localCloud: cpuMs(pids.cloud),
    sender: cpuMs(process.pid),
    serviceWaits: mainThreadWaitMs(pids.functions),
    localCloudWaits: mainThreadWaitMs(pids.cloud),
  };
}

/** Starts work at PER_SECOND for some seconds, each at its time, and waits for all of it. */
async function atRate(seconds: number, work: (number: number) => Promise<void>): Promise<void> {
  const start = performance.now();
  const running: Promise<void>[] = [];
  for (let number = 0; number < seconds * PER_SECOND; number++) {
    const early = start + (1000 * number) / PER_SECOND - performance.now();
    if (early > 1) await delay(early);
    running.push(work(number));
  }
  await Promise.all(running);
}
