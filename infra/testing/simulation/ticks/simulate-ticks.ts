import { tickName } from "../../../../shared/realtime/tick-state.ts";
import { ShuttingDown } from "../../../../shared/runtime/shutdown-signal.ts";
import type { Report } from "../report.ts";
import { World } from "../world.ts";
import {
  checkAllShown,
  checkMapChanges,
  checkReplaced,
  checkShown,
  checkTick,
  checkTicks,
  isBehind,
  isLeft,
  type Scene,
  TICK_MS,
} from "./check-ticks.ts";
import { letCustomersAct, mapsOf } from "./customers.ts";
import { memoryMaps } from "./memory-maps.ts";
import { memoryRealtime } from "./memory-realtime.ts";
import { memoryTicks } from "./memory-ticks.ts";
import { calmed, drawPlan, type Weather } from "./plan.ts";
import { realtimeOver } from "./realtime.ts";
import { scheduler } from "./scheduler.ts";

const START = new Date("2026-11-20T00:00:30Z");
const MINUTE_MS = 60_000;
/** The last postponed change is pending for a minute. Two sweeps deliver it, and their calls arrive. */
const TOLD_MS = 5 * MINUTE_MS;
/** Several ticks that cannot be computed take twenty calls each, and a tick is given up after a day. */
const REST_MS = 27 * 60 * MINUTE_MS;
const STILL_MS = 25 * 60 * MINUTE_MS;
/** The time that Cloud Run leaves a process after SIGTERM. */
const TERM_MS = 10_000;
const TURNS_MAX = 100_000;

/** Runs one schedule of the ticks: customers, faults and crashes for a while, then no faults until everything has ended. */
export async function simulateTicks(seed: number, isTraced: boolean): Promise<Report> {
  const world = new World({ seed, start: START, isTraced, turnsMax: TURNS_MAX });
  const { random } = world;
  const plan = drawPlan(random, seed);
  let weather: Weather = plan.weather;
  let isCalm = false;
  const isDown = (): boolean => {
    const since = world.time - START.getTime();
    return !isCalm && plan.outage !== undefined && since >= plan.outage.from && since < plan.outage.to;
  };
  const manner = () => ({ ...weather.warehouse, isDown: isDown() });
  const uids = ["alpha", "beta"].slice(0, plan.customers);
  const unserved = plan.hasUnserved ? uids.at(-1) : undefined;
  const abandoned = new Set<string>();
  const unloaded = new Set<string>();
  const maps = memoryMaps(
    (replaced) => {
      checkShown(scene);
      if (replaced) checkReplaced(scene, replaced);
    },
    (uid) => {
      if (uid !== unserved) return;
      world.count("snapshots that cannot be written");
      throw new Error("too large");
    },
  );
  const realtime = memoryRealtime(world, manner, {
    uids,
    isDoomed: (tick) => {
      const index = Math.floor((Date.parse(tick) - START.getTime()) / TICK_MS) - 2;
      return index >= 0 && index < plan.doomed;
    },
    watch: (problem) => world.violate("no tick is written twice", problem),
    watchCells: (problem) => world.violate("the cells of a geometry stand once, as long as a map has it", problem),
  });
  const ticks = memoryTicks((after, before) => checkTick(scene, after, before));
  const scene: Scene = { world, maps, realtime, ticks, uids, unserved, abandoned, unloaded, loadedEvery: plan.loadedEvery, gaps: [] };
  // The most load jobs with which the rule gives that interval.
  const loadJobsADayMax = (uids.length * (86_400_000 / TICK_MS)) / plan.loadedEvery;
  const code = realtimeOver(world, scene, loadJobsADayMax, {
    abandoned: (tick) => abandoned.add(tick),
    unloaded: (uid, tick) => unloaded.add(`${uid} ${tick}`),
  });
  let stop = new AbortController();
  const schedules = scheduler(world, {
    weather: () => weather,
    refresh: async (tick, tickMs, process) => {
      try {
        await code.refresh(tick, tickMs, process, stop.signal);
      } catch (error) {
        const isOwn = error instanceof Error && error.message.includes(tickName(tick));
        if (isCalm && !isOwn && !(error instanceof ShuttingDown) && ticks.get(tick)?.state === "done")
          world.violate("a refresh fails for its own tick only", process.name);
        throw error;
      }
    },
    sweep: (process) => code.sweep(process, stop.signal),
  });
  const shutDown = (): void => {
    world.say("world", "SIGTERM");
    world.count("shutdowns");
    stop.abort(new ShuttingDown());
    stop = new AbortController();
    world.killAll(TERM_MS);
  };
  const somewhen = (): number => world.time + random.whole(0, plan.activeMs);

  for (const map of mapsOf(uids, plan.maps, START)) maps.add(map);
  letCustomersAct(scene, plan, code);
  for (let number = 0; number < plan.crashes; number++) world.at(somewhen(), () => world.killAll());
  for (let number = 0; number < plan.shutdowns; number++) world.at(somewhen(), shutDown);
  for (let number = 0; number < plan.byHand; number++) world.at(somewhen(), schedules.byHand);
  world.rates = weather.rates;
  schedules.start();
  await world.run(world.time + Math.max(plan.activeMs, plan.outage?.to ?? 0, plan.doomed > 0 ? (plan.doomed + 3) * TICK_MS : 0));
  if (plan.standsStill) {
    schedules.stop();
    await world.run(world.time + STILL_MS);
    schedules.start();
  }

  isCalm = true;
  weather = calmed(plan.weather);
  world.rates = weather.rates;
  world.say("world", "faults end");
  // Calls of dead processes still arrive meanwhile.
  const lastSentMs = plan.weather.rates.slowMs + plan.weather.warehouse.durationMs;
  await world.run(world.time + lastSentMs + TOLD_MS);
  if (!world.violation) checkMapChanges(scene);
  // No more changes from here on.
  schedules.stopSweeps();
  // Late firings still arrive, and one more full tick, with all changes delivered.
  await world.run(world.time + plan.weather.lateMs + 17 * MINUTE_MS);
  const until = world.time + REST_MS;
  while (!world.violation && world.time < until && ticks.all().some((tick) => isBehind(scene, tick) || isLeft(scene, tick)))
    await world.run(world.time + 7 * MINUTE_MS);
  schedules.stop();
  await world.run(world.time + 10 * MINUTE_MS);
  if (!world.violation) checkTicks(scene);
  if (!world.violation) checkAllShown(scene);
  return { seed, violation: world.violation, counts: world.counts, trace: world.trace };
}
