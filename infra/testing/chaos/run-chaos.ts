import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Firestore } from "@google-cloud/firestore";
import { PubSub } from "@google-cloud/pubsub";
import * as v from "valibot";
import { StatusResponse } from "../../../shared/aggregation/job-schemas.ts";
import { isOver } from "../../../shared/jobs/job-state.ts";
import { awaitSample } from "../../local/await-sample.ts";
import { parseOptions } from "../../local/options.ts";
import type { Ready } from "../../local/ready-file.ts";
import { type RunningService, startService } from "../../local/service.ts";
import { startPushProxy } from "../faults/push-proxy.ts";
import { type Random, randomOf } from "../simulation/random.ts";
import { type Between, startBetween } from "./between.ts";
import { checkExports } from "./check-exports.ts";
import { checkHeadcounts } from "./check-headcounts.ts";
import { checkJobs, type Findings } from "./check-jobs.ts";
import { chaosCustomers } from "./customers.ts";
import { killFunctions } from "./kill-functions.ts";
import { type MonitoredMap, monitorMap } from "./monitor-maps.ts";
import { stubbornClient } from "./stubborn-client.ts";
import { type SubmittedJob, submitJob } from "./submit-jobs.ts";

export interface ChaosOptions {
  readonly jobs: number;
  /** With 0, no schedule fires and the run waits for no tick. */
  readonly maps: number;
  readonly seed: number;
  /** The share of calls, and of pushes, with an injected fault. */
  readonly rate: number;
  /** The folder of the service's state and logs. */
  readonly stateDirectory: string;
  readonly say: (line: string) => void;
}

/** Seconds between two ticks of a run. */
const TICK_S = 15;
/** Enough that some customers' documents are never locked by a killed process. Firestore releases such locks after a minute. */
const CUSTOMERS = 16;
/** How many customers' clients work concurrently. */
const AT_ONCE = 8;
/** The pause between two submissions of one client, in milliseconds: a run of 200 jobs takes long enough for many kills. */
const PAUSE_MS = { least: 500, most: 4000 };
/** How long after the faults everything must have ended. Longer than the sweeper waits for a lost delivery. */
const REST_MS = 8 * 60_000;

/**
 * Runs a separate service whose functions are killed at random moments, whose pushes arrive twice, and whose calls to BigQuery, Firestore,
 * Storage and Tasks fail, reset or are slow. Meanwhile, customers submit jobs and monitor maps. Then the faults stop, and everything must
 * end exactly once.
 */
export async function runChaos(options: ChaosOptions): Promise<Findings> {
  const { say, stateDirectory } = options;
  const random = randomOf(options.seed);
  let between: Between | undefined;
  const stop = new AbortController();
  const service = await startService(
    parseOptions([
      "--state",
      stateDirectory,
      "--engines",
      "embedded",
      ...(options.maps > 0 ? ["--tick", String(TICK_S)] : ["--no-schedule"]),
      "--port",
      String(port()),
    ]),
    say,
    {
      between: async (environment) => {
        between = await startBetween(environment, random, options.rate);
        return between.environment;
      },
    },
  );
  await awaitSample(service, say);
  try {
    if (!between) throw new Error("The functions were started without the proxies to their cloud");
    return await storm(service, between, { random, options, stop: stop.signal });
  } finally {
    stop.abort();
    await service.stop();
    await between?.close();
  }
}

interface Storm {
  readonly random: Random;
  readonly options: ChaosOptions;
  /** Aborted when the run has ended, successfully or not, so that nothing keeps running. */
  readonly stop: AbortSignal;
}

async function storm(service: RunningService, between: Between, { random, options, stop }: Storm): Promise<Findings> {
  const { ready } = service;
  const { say } = options;
  const pushes = await startPushProxy(() => new URL(ready.functions["aggregation-run"] ?? "").host, random, options.rate);
  stop.addEventListener("abort", () => void pushes.close());
  await pushTo(ready, pushes.address);
  const customers = await chaosCustomers(ready, CUSTOMERS);
  const client = stubbornClient(stop);
  const killer = killFunctions(join(options.stateDirectory, "ready.json"), random);
  const submitted: SubmittedJob[] = [];
  const maps: MonitoredMap[] = [];
  const someone = () => random.pick(customers);
  const work = [
    ...Array.from({ length: options.jobs }, (_, index) => async () => {
      submitted.push(await submitJob(ready, client, { customer: someone(), index, random }));
    }),
    ...Array.from({ length: options.maps }, (_, index) => async () => {
      maps.push(await monitorMap(ready, client, { customer: someone(), index, random }));
    }),
  ];
  const line = shuffled(work, random);
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = line.pop(); next; next = line.pop()) {
      await next();
      if (line.length % 25 === 0) say(`  ${submitted.length} jobs accepted, ${maps.length} maps monitored, ${killer.kills()} kills`);
      await delay(random.whole(PAUSE_MS.least, PAUSE_MS.most));
    }
  });
  await Promise.all(workers).finally(killer.stop);
  say("The faults have stopped; waiting for everything to end …");
  between.calm();
  pushes.calm();
  await comeToRest(ready, submitted, say);
  await nothingOwed(ready, say);
  if (options.maps > 0) await fireNextTick(ready);
  const found = [
    await checkJobs(ready, customers, submitted),
    await checkExports(ready, service.environment, submitted),
    await checkHeadcounts(ready, customers, maps),
  ];
  return {
    counts: {
      "functions' processes killed": killer.kills(),
      ...named("pushes", pushes.counts()),
      ...Object.assign({}, ...Object.entries(between.counts()).map(([name, counts]) => named(`calls to ${name}`, counts))),
      ...named("answers to customers", client.met()),
      ...Object.assign({}, ...found.map(({ counts }) => counts)),
    },
    faults: found.flatMap(({ faults }) => faults),
  };
}

/** Returns a port below the system's ephemeral ports, so that no other process takes it while a killed process restarts. */
function port(): number {
  return 20_000 + 2 * (process.pid % 5000);
}

/** Makes the worker's subscription push to another address. */
async function pushTo(ready: Ready, address: string): Promise<void> {
  const pubsub = new PubSub({ projectId: ready.project, apiEndpoint: ready.pubsub_host, emulatorMode: true });
  await pubsub
    .subscription("aggregations-run")
    .modifyPushConfig({ pushEndpoint: `http://${address}/projects/${ready.project}/topics/aggregations` });
  await pubsub.close();
}

/** Sweeps more often than the schedule until every job has ended. Throws an Error that names the unfinished jobs after a timeout. */
async function comeToRest(ready: Ready, submitted: readonly SubmittedJob[], say: (line: string) => void): Promise<void> {
  const until = Date.now() + REST_MS;
  let left = submitted;
  while (left.length > 0) {
    if (Date.now() > until) throw new Error(`Not finished after ${REST_MS / 1000} s: ${left.map(({ id }) => id).join(", ")}`);
    await Promise.all(["aggregation-sweep", "realtime-sweep"].map((name) => fetch(ready.functions[name] ?? "", { method: "POST" })));
    const standing = await Promise.all(left.map(async (job) => ({ job, isOver: await hasEnded(ready, job) })));
    left = standing.filter((one) => !one.isOver).map(({ job }) => job);
    say(`  ${left.length} jobs to go`);
    if (left.length > 0) await delay(5000);
  }
}

/** Sweeps until every change of monitored maps is delivered to the warehouse and, tick by tick, every pending tick is done. */
async function nothingOwed(ready: Ready, say: (line: string) => void): Promise<void> {
  const db = new Firestore({ projectId: ready.project });
  const until = Date.now() + REST_MS;
  for (;;) {
    const [changes, ticks] = await Promise.all([
      db.collection("mapChanges").get(),
      db
        .collection("ticks")
        .where("owedSince", "<=", new Date(Date.now() - TICK_S * 1000))
        .get(),
    ]);
    if (changes.size + ticks.size === 0) break;
    if (Date.now() > until) throw new Error(`${changes.size} changes and ${ticks.size} ticks are still pending after ${REST_MS / 1000} s`);
    say(`  ${changes.size} changes of monitoring and ${ticks.size} ticks to go`);
    await fetch(ready.functions["realtime-sweep"] ?? "", { method: "POST" });
    await delay(10_000);
  }
  await db.terminate();
}

async function hasEnded(ready: Ready, { id, customer }: SubmittedJob): Promise<boolean> {
  const response = await fetch(`${ready.data_base_url}/data-agg/status/${id}`, { headers: { "x-api-key": customer.key } });
  return isOver(v.parse(StatusResponse, await response.json()));
}

/** Fires the next tick twice at once when it is due: a tick measures every monitored map as it is then. */
async function fireNextTick(ready: Ready): Promise<void> {
  const tick = new Date((Math.floor(Date.now() / 1000 / TICK_S) + 1) * TICK_S * 1000);
  await delay(tick.getTime() - Date.now());
  await Promise.all([fireTick(ready, tick), fireTick(ready, tick)]);
}

async function fireTick(ready: Ready, tick: Date): Promise<void> {
  const headers = { "x-cloudscheduler-scheduletime": tick.toISOString() };
  const { status } = await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST", headers });
  if (status !== 200) throw new Error(`The last refresh returned ${status}`);
}

function named(what: string, counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).map(([name, number]) => [`${what}: ${name}`, number]));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
