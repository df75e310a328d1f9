import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Random } from "../simulation/random.ts";

const Pids = v.object({ pids: v.object({ functions: v.number() }) });
/** How long a process lives once it serves, in milliseconds. */
const LIFE_MS = { least: 1000, most: 10_000 };
const LOOK_MS = 100;

export interface Killer {
  readonly kills: () => number;
  /** Stops the kills. Resolves when the functions serve again. */
  readonly stop: () => Promise<void>;
}

/** Kills the functions' process of the service that writes `readyFile` repeatedly, with SIGKILL, so that it cannot clean up. */
export function killFunctions(readyFile: string, random: Random): Killer {
  let kills = 0;
  let last = 0;
  const stopping = new AbortController();
  /** Returns the pid in the file, which names the next process once it serves. */
  const serving = (): number => v.parse(Pids, JSON.parse(readFileSync(readyFile, "utf8"))).pids.functions;
  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await pause(LOOK_MS);
      const functions = serving();
      if (functions === last) continue;
      await pause(random.whole(LIFE_MS.least, LIFE_MS.most));
      if (stopping.signal.aborted) return;
      process.kill(functions, "SIGKILL");
      last = functions;
      kills++;
    }
  };
  const ended = loop();
  return {
    kills: () => kills,
    stop: async () => {
      stopping.abort();
      await ended;
      while (serving() === last) await delay(LOOK_MS);
    },
  };
}
