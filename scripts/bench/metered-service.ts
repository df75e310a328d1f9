import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { type FirestoreOperation, startFirestoreMeter } from "../../infra/testing/engines/firestore-meter.ts";
import { type HttpCall, startHttpMeter } from "../../infra/testing/engines/http-meter.ts";
import type { Fate } from "../../infra/testing/faults/fate.ts";
import { startGrpcProxy } from "../../infra/testing/faults/grpc-proxy.ts";
import { cpuMs } from "./process-cpu.ts";

/** What the functions used of each product between two readings of the meters. */
export interface Used {
  /** Documents read and written, those of the database `usage` too. */
  readonly reads: number;
  readonly writes: number;
  /** Transactions that started again. */
  readonly retries: number;
  /** The reads and writes by collection, such as `jobs write`. */
  readonly operations: Readonly<Record<string, number>>;
  readonly tasks: number;
  readonly messages: number;
  /** Jobs that BigQuery started, dry runs not included, and the bytes that they were billed. */
  readonly warehouseJobs: number;
  readonly bytesBilled: number;
  /** Bytes of BigQuery's answers. */
  readonly warehouseBytes: number;
  /** CPU of the functions' process. */
  readonly cpuMs: number;
}

/** A local service with a meter between its functions and each product. */
export interface MeteredService {
  readonly ready: Ready;
  readonly environment: Readonly<Record<string, string>>;
  /** BigQuery without a meter. */
  readonly operator: BigQuery;
  /** Returns what was used since the last call, once the wire has been quiet for these milliseconds. */
  readonly take: (quietMs?: number) => Promise<Used>;
  readonly stop: () => Promise<void>;
}

const QUIET_MS = 40;
const PASS = { next: (): Fate => "passed", delayMs: () => 0 };

const Started = v.object({
  jobReference: v.object({ jobId: v.string(), location: v.optional(v.string()) }),
  configuration: v.optional(v.object({ dryRun: v.optional(v.boolean(), false) }), {}),
});
const Billed = v.object({
  statistics: v.object({
    query: v.optional(v.object({ totalBytesBilled: v.optional(v.pipe(v.string(), v.transform(Number)), "0") }), {}),
  }),
});

/** Starts the embedded local service without schedules, with meters on the wire. `options` are those of `./scripts/start`. */
export async function startMeteredService(options: readonly string[] = []): Promise<MeteredService> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const meters = openMeters();
  const service = await startService(
    parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", ...options]),
    () => undefined,
    { between: meters.between },
  );
  await service.filled;
  Object.assign(process.env, service.environment);
  const { ready } = service;
  const operator = new BigQuery({ projectId: ready.project, location: "europe-north1", apiEndpoint: ready.bigquery_endpoint });
  let cpuBefore = cpuMs(ready.pids.functions);
  const take = async (quietMs = QUIET_MS): Promise<Used> => {
    await meters.quiet(quietMs);
    const { jobs, ...counted } = meters.take();
    const cpuNow = cpuMs(ready.pids.functions);
    const used = cpuNow - cpuBefore;
    let bytesBilled = 0;
    for (const { jobId, location = "europe-north1" } of jobs) {
      const [metadata] = await operator.job(jobId, { location }).getMetadata();
      bytesBilled += v.parse(Billed, metadata).statistics.query.totalBytesBilled;
    }
    cpuBefore = cpuMs(ready.pids.functions);
    return { ...counted, warehouseJobs: jobs.length, bytesBilled, cpuMs: used };
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    await meters.close();
    rmSync(state, { recursive: true, force: true });
  };
  return { ready, environment: service.environment, operator, take, stop };
}

interface Counted extends Pick<Used, "reads" | "writes" | "retries" | "operations" | "tasks" | "messages" | "warehouseBytes"> {
  readonly jobs: readonly { readonly jobId: string; readonly location?: string | undefined }[];
}

/** The meters of all products. Their addresses replace those of the cloud in the functions' environment. */
function openMeters() {
  const zero: Counted = { reads: 0, writes: 0, retries: 0, operations: {}, tasks: 0, messages: 0, warehouseBytes: 0, jobs: [] };
  let counted = zero;
  let lastCall = performance.now();
  const closing: (() => unknown)[] = [];
  const count = (more: Partial<Counted>): void => {
    lastCall = performance.now();
    counted = { ...counted, ...more };
  };
  const ofFirestore = ({ kind, isUsage, collection }: FirestoreOperation): void => {
    if (kind === "retry") {
      count({ retries: counted.retries + 1 });
      return;
    }
    const name = `${isUsage ? "usage/" : ""}${collection} ${kind}`;
    const operations = { ...counted.operations, [name]: (counted.operations[name] ?? 0) + 1 };
    count(kind === "read" ? { operations, reads: counted.reads + 1 } : { operations, writes: counted.writes + 1 });
  };
  const ofWarehouse = ({ method, path, status, answer, answeredBytes }: HttpCall): void => {
    const started = method !== "GET" && status < 300 && /\/(jobs|queries)(\?|$)/.test(path) ? startedJob(answer) : undefined;
    count({
      warehouseBytes: counted.warehouseBytes + answeredBytes,
      ...(started ? { jobs: [...counted.jobs, started] } : {}),
    });
  };
  const ofMessages = (path: string): void => count(/(:publish|\/Publish)(\?|$)/.test(path) ? { messages: counted.messages + 1 } : {});
  const ofTasks = (path: string): void => count(path.endsWith("/CreateTask") ? { tasks: counted.tasks + 1 } : {});
  const between = async (environment: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
    const of = (name: string): string => environment[name] ?? "";
    const firestore = await startFirestoreMeter(of("FIRESTORE_EMULATOR_HOST"), ofFirestore);
    const tasks = await startGrpcProxy(of("TASKS_ADDRESS"), PASS, ofTasks);
    const pubsub = await startGrpcProxy(of("PUBSUB_EMULATOR_HOST"), PASS, ofMessages);
    const rest = await startHttpMeter(new URL(of("PUBSUB_REST_URL")).host, ({ path }) => ofMessages(path));
    const warehouse = await startHttpMeter(new URL(of("BIGQUERY_URL")).host, ofWarehouse);
    closing.push(...[firestore, tasks, pubsub, rest, warehouse].map((server) => () => server.close()));
    return {
      ...environment,
      FIRESTORE_EMULATOR_HOST: firestore.address,
      TASKS_ADDRESS: tasks.address,
      PUBSUB_EMULATOR_HOST: pubsub.address,
      PUBSUB_REST_URL: `http://${rest.address}`,
      BIGQUERY_URL: `http://${warehouse.address}`,
    };
  };
  return {
    between,
    quiet: async (ms: number): Promise<void> => {
      while (performance.now() - lastCall < ms) await delay(ms / 4);
    },
    take: (): Counted => {
      const taken = counted;
      counted = zero;
      return taken;
    },
    close: () => Promise.all(closing.map((close) => close())),
  };
}

function startedJob(answer: string): Counted["jobs"][number] | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Started), answer);
  return parsed.success && !parsed.output.configuration.dryRun ? parsed.output.jobReference : undefined;
}

/** Returns the sum of uses, divided by a number of requests or jobs. */
export function averageOf(uses: readonly Used[], by = uses.length): Used {
  const sum = (of: (used: Used) => number): number => uses.reduce((total, used) => total + of(used), 0) / by;
  const names = [...new Set(uses.flatMap(({ operations }) => Object.keys(operations)))].sort();
  return {
    reads: sum(({ reads }) => reads),
    writes: sum(({ writes }) => writes),
    retries: sum(({ retries }) => retries),
    operations: Object.fromEntries(names.map((name) => [name, sum(({ operations }) => operations[name] ?? 0)])),
    tasks: sum(({ tasks }) => tasks),
    messages: sum(({ messages }) => messages),
    warehouseJobs: sum(({ warehouseJobs }) => warehouseJobs),
    bytesBilled: sum(({ bytesBilled }) => bytesBilled),
    warehouseBytes: sum(({ warehouseBytes }) => warehouseBytes),
    cpuMs: sum((used) => used.cpuMs),
  };
}

/** The figures of a use, by the names of a row. */
export function columnsOf(used: Used): Readonly<Record<string, unknown>> {
  return {
    reads: used.reads,
    writes: used.writes,
    retries: used.retries,
    operations: used.operations,
    tasks: used.tasks,
    messages: used.messages,
    warehouse_jobs: used.warehouseJobs,
    billed_mib: used.bytesBilled / 2 ** 20,
    cpu_ms: used.cpuMs,
  };
}
