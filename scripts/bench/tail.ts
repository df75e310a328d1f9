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
import { cpuMs } from "./process-cpu.ts";
import { openSender } from "./sender.ts";

const PER_SECOND = 200;
const SECONDS = 60;
const WARM_UP_SECONDS = 10;
/** Each may send 100 requests a second. */
const CUSTOMERS = 8;
const P99_RATIO_MAX = 3;
const LOOP_MS_MAX = 20;
const Late = v.pipe(v.string(), v.parseJson(), v.object({ at: v.number(), p50_ms: v.number(), p99_ms: v.number(), max_ms: v.number() }));

/** Measures warm GETs at 200 a second for a minute, sent on time however late the answers are, and how late the functions' event loop is. */
export async function benchTail(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const file = join(state, "event-loop.jsonl");
  const probe = fileURLToPath(new URL("event-loop-delay.ts", import.meta.url));
  const service = await startService(
    parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--days", "5"]),
    () => undefined,
    { between: async (environment) => ({ ...environment, EVENT_LOOP_FILE: file, NODE_OPTIONS: `--import=${probe}` }) },
  );
  await service.filled;
  const db = new Firestore({ projectId: service.ready.project, host: service.ready.firestore_host, ssl: false });
  try {
    await measure(service.ready, await addCustomers(db, service.ready.project, CUSTOMERS), db, file);
  } finally {
    await db.terminate();
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(ready: Ready, customers: readonly Inhabitant[], db: Firestore, file: string): Promise<void> {
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
  const cpuBefore = cpuOf(ready);
  await atRate(SECONDS, (number) => send(number, true));
  const cpuAfter = cpuOf(ready);
  const share = (of: keyof Cpu): number => (cpuAfter[of] - cpuBefore[of]) / times.length;
  const late = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : v.parse(Late, line)))
    .filter(({ at }) => at > began + 1000);
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
    cores_busy: (PER_SECOND * (share("service") + share("localCloud") + share("sender"))) / 1000,
    budget_ratio: P99_RATIO_MAX,
    ratio: p99 / p50,
    met: failed === 0 && p99 / p50 <= P99_RATIO_MAX,
  });
  for (const [kind, own] of timesOf)
    report({ bench: "tail", what: `GET ${kind} among them`, p50_ms: quantile(own, 0.5), p99_ms: quantile(own, 0.99) });
  const p99s = late.map(({ p99_ms }) => p99_ms);
  report({
    bench: "tail",
    what: "delay of the functions' event loop meanwhile, by second",
    seconds: late.length,
    median_of_p99_ms: quantile(p99s, 0.5),
    worst_p99_ms: Math.max(...p99s),
    worst_ms: Math.max(...late.map(({ max_ms }) => max_ms)),
    budget_ms: LOOP_MS_MAX,
    ratio: quantile(p99s, 0.5) / LOOP_MS_MAX,
    met: late.length > 0 && quantile(p99s, 0.5) <= LOOP_MS_MAX,
  });
}

/** The CPU milliseconds so far of the functions, of the local cloud that stands in for Google's services, and of this process. */
interface Cpu {
  readonly service: number;
  readonly localCloud: number;
  readonly sender: number;
}

function cpuOf({ pids }: Ready): Cpu {
  return { service: cpuMs(pids.functions), localCloud: cpuMs(pids.cloud), sender: cpuMs(process.pid) };
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
