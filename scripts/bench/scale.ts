import { setTimeout as delay } from "node:timers/promises";
import { Firestore } from "@google-cloud/firestore";
import { jobBodies } from "./cost-of-jobs.ts";
import { fireTick } from "./fire-tick.ts";
import { concurrently, report, timed } from "./measure.ts";
import { averageOf, columnsOf, type MeteredService, startMeteredService, type Used } from "./metered-service.ts";
import { insertMonitoredMaps, measurePresence } from "./monitored-maps.ts";
import { addCustomers, type Inhabitant } from "./population.ts";
import { priceOfThousand } from "./prices.ts";
import { openSender } from "./sender.ts";

const CUSTOMERS = [200, 1000, 5000] as const;
const MAPS_A_CUSTOMER = 2;
/** The share of customers that have a job at a time, and how many at least: the jobs of fewer take no more CPU than one collection of garbage. */
const ACTIVE = { share: 0.1, least: 200 } as const;
const WIDTH = 8;
const QUIET_MS = 400;
const RATIO_MAX = 1.2;

/** A step of the path at a number of customers, and what each of those that it serves costs. */
interface Step {
  readonly what: string;
  readonly customers: number;
  readonly served: number;
  readonly used: Used;
  readonly ms: number;
}

/**
 * Measures submit, sweep, tick and reads with 200, 1,000 and 5,000 customers in one service. A tenth of the customers, and at least 200, submit
 * a job that waits for a slot, one sweep gives all of them theirs, and their jobs run. A tick counts two maps of each customer, and customers
 * read their rows. What a customer costs must not grow with their number.
 */
export async function benchScale(): Promise<void> {
  const metered = await startMeteredService();
  const db = new Firestore({ projectId: metered.ready.project, host: metered.ready.firestore_host, ssl: false });
  try {
    const bench: Bench = { metered, db, customers: [], counter: { maps: 0 } };
    // The first jobs and ticks of a process cost more CPU than all later ones.
    await grow(bench, 10);
    await steps(bench);
    const fewest = new Map<string, Step>();
    for (const count of CUSTOMERS) {
      await grow(bench, count);
      for (const step of await steps(bench)) {
        if (!fewest.has(step.what)) fewest.set(step.what, step);
        reportStep(step, fewest.get(step.what) ?? step);
      }
    }
  } finally {
    await db.terminate();
    await metered.stop();
  }
}

/** One sweep takes a few milliseconds of CPU, less than what else a process does now and then. */
const IDLE_SWEEPS = 20;

interface Bench {
  readonly metered: MeteredService;
  readonly db: Firestore;
  readonly customers: Inhabitant[];
  readonly counter: { maps: number };
}

async function grow({ metered, db, customers, counter }: Bench, count: number): Promise<void> {
  const { ready, operator } = metered;
  const added = await addCustomers(db, ready.project, count - customers.length);
  customers.push(...added);
  const from = counter.maps;
  counter.maps += added.length * MAPS_A_CUSTOMER;
  await insertMonitoredMaps(operator, { uids: added.map(({ uid }) => uid), from, to: counter.maps });
  await measurePresence(operator, new Date());
  // The first tick makes the customers' documents, which the later ones replace.
  await fireTick(ready);
}

async function steps(bench: Bench): Promise<Step[]> {
  const { metered, db, customers } = bench;
  const { ready, take } = metered;
  const count = customers.length;
  const active = spread(customers, Math.max(ACTIVE.least, count * ACTIVE.share));
  const call = openSender(ready);
  const done: Step[] = [];
  const step = async (what: string, served: number, work: () => Promise<unknown>): Promise<void> => {
    await take(QUIET_MS);
    const ms = await timed(work);
    done.push({ what, customers: count, served, used: await take(QUIET_MS), ms });
  };
  const sweep = async (): Promise<void> => {
    const { status } = await fetch(ready.functions["aggregation-sweep"] ?? "", { method: "POST" });
    if (status >= 300) throw new Error(`The sweep answered ${status}`);
  };
  const body = jobBodies()[0]?.body ?? {};
  await setSlots(db, active, 0);
  await step("submit: a job that waits", active.length, () =>
    concurrently(active.length, WIDTH, async (index) => {
      const { status, body: answer } = await call("data", "POST", "/data-agg", { key: active[index]?.key ?? "", body });
      if (status !== 202) throw new Error(`A submission answered ${status}: ${JSON.stringify(answer)}`);
    }),
  );
  await setSlots(db, active, 5);
  await step("sweep: a slot for each, and the jobs", active.length, async () => {
    await sweep();
    await untilNoneIsUnfinished(db);
  });
  await step("sweep: nothing to do", IDLE_SWEEPS, () => concurrently(IDLE_SWEEPS, 1, sweep));
  await step("tick", count, () => fireTick(ready));
  await step("realtime data", active.length, () =>
    concurrently(active.length, WIDTH, async (index) => {
      const { status } = await call("data", "GET", "/admin/realtime/data", { key: active[index]?.key ?? "" });
      if (status !== 200) throw new Error(`Realtime data answered ${status}`);
    }),
  );
  return done;
}

/** Returns this many of the customers, evenly from all of them; each more than once if there are fewer. */
function spread(customers: readonly Inhabitant[], count: number): Inhabitant[] {
  return Array.from({ length: count }, (_, index) => customers[Math.floor((index * customers.length) / count)] ?? { uid: "", key: "" });
}

async function setSlots(db: Firestore, customers: readonly Inhabitant[], runningJobs: number): Promise<void> {
  await concurrently(customers.length, WIDTH, (index) =>
    db
      .collection("customers")
      .doc(customers[index]?.uid ?? "")
      .update({ "limits.runningJobs": runningJobs }),
  );
}

async function untilNoneIsUnfinished(db: Firestore): Promise<void> {
  const unfinished = db.collection("jobs").where("placed", "==", true).limit(1);
  for (;;) {
    if ((await unfinished.get()).empty) return;
    await delay(50);
  }
}

function reportStep({ what, customers, served, used, ms }: Step, first: Step): void {
  const one = averageOf([used], served);
  const base = averageOf([first.used], first.served);
  const operations = one.reads + one.writes;
  const ratios = {
    ratio_of_operations: operations / (base.reads + base.writes),
    ratio_of_billed_bytes: base.bytesBilled === 0 ? 1 : one.bytesBilled / base.bytesBilled,
    ratio_of_cpu: one.cpuMs / base.cpuMs,
  };
  const ratio = Math.max(...Object.values(ratios).filter((value) => Number.isFinite(value)));
  report({
    bench: "scale",
    what: `${what}, ${customers} customers`,
    served,
    operations_a_customer: operations,
    ...columnsOf(one),
    took_ms: ms,
    usd_per_1000: priceOfThousand(one, { requests: 1, wallMs: ms / served }).usd,
    ...ratios,
    ratio,
    budget_ratio: RATIO_MAX,
    met: ratio <= RATIO_MAX,
  });
}
