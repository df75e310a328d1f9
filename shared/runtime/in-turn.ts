import { monotonicMs } from "../tracing/monotonic-ms.ts";
import { TimedOut } from "./with-timeout.ts";

/** Runs a task after those that were given before with the same key, and returns its result. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs tasks of one key one at a time in this process, in their order. Tasks of different keys run at once. For
 * transactions on the same documents: Firestore's locks would make them wait for each other and retry with pauses of seconds.
 * @param waitMsMax a task whose turn comes later is not run and throws `TimedOut`: its request may have been answered already
 */
export function createInTurn(waitMsMax: number, now: () => number = monotonicMs): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const since = now();
    const run = (last.get(key) ?? Promise.resolve()).then(() => {
      if (now() - since > waitMsMax) throw new TimedOut(waitMsMax);
      return task();
    });
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return run;
  };
}
