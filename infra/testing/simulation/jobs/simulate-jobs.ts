import type { JobMessage } from "../../../../shared/jobs/job-message.ts";
import { isOver } from "../../../../shared/jobs/job-state.ts";
import { ShuttingDown } from "../../../../shared/runtime/shutdown-signal.ts";
import type { Process } from "../process.ts";
import type { Report } from "../report.ts";
import { World } from "../world.ts";
import { checkCompleted, checkObject } from "./check-exports.ts";
import { checkMoves } from "./check-moves.ts";
import { checkQuery } from "./check-queries.ts";
import { checkRest, watchForStuck } from "./check-rest.ts";
import { letCustomersAct } from "./customers.ts";
import { jobPathOver } from "./job-path.ts";
import { memoryBucket } from "./memory-bucket.ts";
import { memoryJobs, short } from "./memory-jobs.ts";
import { memoryMessages } from "./memory-messages.ts";
import { memoryWarehouse } from "./memory-warehouse.ts";
import { calmed, drawPlan, type Weather } from "./plan.ts";
import type { Scene } from "./scene.ts";

const START = new Date("2026-11-20T00:00:00Z");
const MINUTE_MS = 60_000;
/** A delivery lives for less than JOB_IDLE_MS, including its last calls. The job path relies on that. */
const DELIVERY_LIFE_MS = 4 * MINUTE_MS;
const SWEEP_LIFE_MS = 2 * MINUTE_MS;
/** The deadline of a job, twice for a job that waits behind another, plus the time for the clean-up. */
const REST_MS = 20 * 60 * MINUTE_MS;
/** The time that Cloud Run leaves a process after SIGTERM. */
const TERM_MS = 10_000;
const TURNS_MAX = 200_000;

/** Runs one schedule of the job path: customers, faults and crashes for a while, then no faults until everything has ended. */
export async function simulateJobs(seed: number, isTraced: boolean): Promise<Report> {
  const world = new World({ seed, start: START, isTraced, turnsMax: TURNS_MAX });
  const plan = drawPlan(world.random);
  let weather: Weather = plan.weather;
  const change = (to: Weather): void => {
    weather = to;
    world.rates = to.rates;
    world.say("world", to === plan.weather ? "faults begin" : "faults end");
  };
  const deliveries = new Map<string, JobMessage>();
  const buried = new Set<string>();
  const jobs = memoryJobs(
    (uid) => plan.limits[uid],
    (writes, who) => {
      checkMoves(writes, who, scene);
      for (const { before, after } of writes) {
        if (after.status !== before?.status) world.count(`jobs: ${after.status}`);
        if (after.status === "completed" && before?.status !== "completed") checkCompleted(after, scene);
      }
    },
  );
  const bucket = memoryBucket((name, before) => checkObject(name, before, scene));
  const warehouse = memoryWarehouse(
    world,
    bucket,
    () => weather.warehouse,
    (query) => checkQuery(query, scene),
  );
  const messages = memoryMessages(world, () => weather.messages, {
    livesMs: DELIVERY_LIFE_MS,
    deliver: (message, onEnd) => {
      const stop = stops.open();
      const name = `run ${deliveries.size + 1} of ${short(message.job_id)} ${message.attempt}.${message.step}`;
      deliveries.set(name, message);
      world.start(name, (process) => path.deliver(message, process, stop), DELIVERY_LIFE_MS, onEnd);
    },
    bury: (message) => {
      buried.add(`${message.job_id} ${message.attempt}.${message.step}`);
      if (plan.hasDeadLetterOffice) bury(message, 1);
    },
    watch: (_message, who) => {
      if (plan.isFaultless && who.startsWith("sweep")) world.violate("the sweeper has nothing to send when nothing fails", who);
    },
  });
  // Dead letters are never dead-lettered: they are redelivered until they are processed.
  const bury = (message: JobMessage, time: number): void =>
    world.start(
      `dead letter ${time}`,
      (process) => path.bury(message, process),
      DELIVERY_LIFE_MS,
      (ending) => {
        if (ending !== "done") world.at(world.time + Math.min(time, 10) * 1000, () => bury(message, time + 1));
      },
    );
  const stops = stopSignals();
  const scene: Scene = { world, plan, jobs, bucket, warehouse, messages, deliveries, buried };
  const path = jobPathOver(world, scene, plan.batch);
  const sweeps = sweepEachMinute(
    world,
    (process) => path.sweep(process, stops.open()),
    () => weather,
  );
  const customers = letCustomersAct(scene, path);
  const somewhen = (): number => world.time + world.random.whole(0, plan.activeMs);
  for (let load = 0; load < plan.loads; load++) world.at(somewhen(), warehouse.load);
  for (let crash = 0; crash < plan.crashes; crash++) world.at(somewhen(), () => world.killAll());
  for (let shutdown = 0; shutdown < plan.shutdowns; shutdown++) world.at(somewhen(), () => shutDown(world, stops));

  change(plan.weather);
  sweeps.start();
  await world.run(world.time + plan.activeMs);
  change(calmed(plan.weather));
  await rest(scene, customers.areDone);
  customers.checkKeys();
  sweeps.stop();
  if (plan.outlivesResults && !world.violation) await outliveResults(scene, sweeps, change);
  return { seed, violation: world.violation, counts: world.counts, trace: world.trace };
}

/** One abort signal for all living processes. Later processes get a new one. */
function stopSignals() {
  let current = new AbortController();
  return {
    open: () => current.signal,
    abort: () => {
      current.abort(new ShuttingDown());
      current = new AbortController();
    },
  };
}

/** Ends all processes as Cloud Run ends an instance: SIGTERM, then a kill ten seconds later. */
function shutDown(world: World, stops: ReturnType<typeof stopSignals>): void {
  world.say("world", "SIGTERM");
  world.count("shutdowns");
  stops.abort();
  world.killAll(TERM_MS);
}

/** Runs until all jobs are finished and cleaned up, and checks each minute that nothing is stuck. */
async function rest(scene: Scene, areCustomersDone: () => boolean): Promise<void> {
  const { world, jobs, messages } = scene;
  const check = watchForStuck(scene);
  const until = world.time + REST_MS;
  const isAtRest = (): boolean => areCustomersDone() && messages.count() === 0 && jobs.all().every((job) => isOver(job) && !job.leftovers);
  while (!isAtRest() && world.time < until) {
    await world.run(world.time + MINUTE_MS);
    if (world.violation) return;
    check();
  }
  // Calls of dead processes may still be in flight.
  await world.run(world.time + MINUTE_MS);
  checkRest(scene);
}

/** Runs thirty days later, at first with faults: the results expire and nothing of them is left. */
async function outliveResults(scene: Scene, sweeps: ReturnType<typeof sweepEachMinute>, change: (to: Weather) => void): Promise<void> {
  const { world, jobs, plan } = scene;
  const ends = jobs.all().flatMap(({ status, expireAt }) => (status === "completed" && expireAt ? [expireAt.getTime()] : []));
  if (ends.length === 0) return;
  await world.run(Math.min(...ends) - MINUTE_MS);
  change(plan.weather);
  sweeps.start();
  await world.run(Math.max(...ends) + 5 * MINUTE_MS);
  change(calmed(plan.weather));
  await world.run(world.time + (plan.batch >= 500 ? 1 : plan.submissions) * 12 * MINUTE_MS);
  sweeps.stop();
  for (const { id, status } of jobs.all()) if (status === "completed") world.violate("results expire", id);
  checkRest(scene);
}

/** Fires the sweeper each minute while it is started, like the scheduler: sometimes not at all, sometimes twice. */
function sweepEachMinute(world: World, run: (process: Process) => Promise<void>, weather: () => Weather) {
  let isOn = false;
  let sweeps = 0;
  const sweep = (): void => world.start(`sweep ${++sweeps}`, run, SWEEP_LIFE_MS);
  const tick = (): void => {
    if (!isOn) return;
    const { sweepsMissed, sweepsDoubled } = weather();
    if (!world.random.chance(sweepsMissed)) sweep();
    if (world.random.chance(sweepsDoubled)) sweep();
    world.at(world.time + MINUTE_MS, tick);
  };
  return {
    start: (): void => {
      isOn = true;
      world.at(world.time + world.random.whole(0, MINUTE_MS), tick);
    },
    stop: (): void => {
      isOn = false;
    },
  };
}
