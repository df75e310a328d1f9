import * as v from "valibot";
import manifest from "../generated/functions.json" with { type: "json" };

const Schedule = v.object({ name: v.string(), trigger: v.literal("schedule"), every_seconds: v.number() });

export interface Scheduler {
  /** Returns the local address of a function, by its name. */
  readonly urlOf: (name: string) => string | undefined;
  /** Seconds between two ticks, for the function that refreshes the headcounts. */
  readonly tickSeconds: number;
  /** Loads the presence of a tick. Completes before the headcounts are refreshed. A tick that begins meanwhile is left out. */
  readonly feed: (tick: Date) => Promise<void>;
}

const REFRESH = "realtime-refresh";

/**
 * Replaces Cloud Scheduler for every function of the manifest with a schedule: sends a POST at each multiple of its interval, with that
 * time in a header. A failed run logs its error and is not retried; the next one follows. Returns a function that stops all schedules.
 */
export function startSchedules({ urlOf, tickSeconds, feed }: Scheduler): () => void {
  let isFeeding = false;
  const call = async (name: string, time: Date): Promise<void> => {
    if (name === REFRESH) {
      // A local cloud that hangs answers none, and each that is asked waits.
      if (isFeeding) return;
      isFeeding = true;
      await feed(time).finally(() => {
        isFeeding = false;
      });
    }
    const url = urlOf(name);
    if (url === undefined) return;
    await fetch(url, { method: "POST", headers: { "x-cloudscheduler-scheduletime": time.toISOString() } }).catch(() => undefined);
  };
  const timers = new Map<string, NodeJS.Timeout>();
  const wait = (name: string, everyMs: number): void => {
    const next = (Math.floor(Date.now() / everyMs) + 1) * everyMs;
    const timer = setTimeout(() => {
      wait(name, everyMs);
      void call(name, new Date(next));
    }, next - Date.now());
    timers.set(name, timer);
  };
  for (const { name, every_seconds } of schedules()) wait(name, 1000 * (name === REFRESH ? tickSeconds : every_seconds));
  return () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
}

function schedules(): v.InferOutput<typeof Schedule>[] {
  return manifest.flatMap((entry) => {
    const parsed = v.safeParse(Schedule, entry);
    return parsed.success ? [parsed.output] : [];
  });
}
