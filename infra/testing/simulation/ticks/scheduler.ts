import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import { TICK_MS } from "./check-ticks.ts";
import type { Weather } from "./plan.ts";

const MINUTE_MS = 60_000;
/** The timeout of a scheduled function on Cloud Run, and the duration of a request that is no tick. */
const REFRESH_LIFE_MS = 9 * MINUTE_MS;
const SWEEP_LIFE_MS = 2 * MINUTE_MS;

interface Schedules {
  readonly weather: () => Weather;
  readonly refresh: (tick: Date, tickMs: number | undefined, process: Process) => Promise<void>;
  readonly sweep: (process: Process) => Promise<void>;
}

/** Fires the schedules while they are started, like Cloud Scheduler: some firings are lost, doubled or late, and failures are retried. */
export function scheduler(world: World, { weather, refresh, sweep }: Schedules) {
  const { random } = world;
  let run = 0;
  let isOn = false;
  let isSweeping = true;
  let generation = 0;
  const fire = (tick: Date, retries: number): void => {
    world.count("firings");
    world.start(
      `refresh ${tick.toISOString().slice(11, 16)} ${++run}`,
      (process) => refresh(tick, TICK_MS, process),
      REFRESH_LIFE_MS,
      (ending) => {
        if (ending !== "done" && retries > 0) world.at(world.time + random.whole(5000, 30_000), () => fire(tick, retries - 1));
      },
    );
  };
  const onTick = (): void => {
    const tick = new Date(world.time);
    const { lost, doubled, late, lateMs, retries } = weather();
    const arrive = (): void =>
      world.at(world.time + (random.chance(late) ? random.whole(0, lateMs) : random.whole(0, 3000)), () => fire(tick, retries));
    if (random.chance(lost)) world.count("firings that are lost");
    else arrive();
    if (random.chance(doubled)) arrive();
  };
  const repeat = (everyMs: number, happen: () => void, mine: number): void => {
    const next = (Math.floor(world.time / everyMs) + 1) * everyMs;
    world.at(next, () => {
      if (!isOn || mine !== generation) return;
      happen();
      repeat(everyMs, happen, mine);
    });
  };
  return {
    start: (): void => {
      isOn = true;
      generation++;
      repeat(TICK_MS, onTick, generation);
      repeat(MINUTE_MS, () => isSweeping && world.start(`sweep ${++run}`, sweep, SWEEP_LIFE_MS), generation);
    },
    stop: (): void => {
      isOn = false;
    },
    stopSweeps: (): void => {
      isSweeping = false;
    },
    byHand: (): void => {
      const tick = new Date(world.time);
      world.start(`by hand ${++run}`, (process) => refresh(tick, undefined, process), REFRESH_LIFE_MS);
    },
  };
}
