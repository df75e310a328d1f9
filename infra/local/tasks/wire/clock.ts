/** Time and timers, injected so that tests control them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once at `time`, never before it, in a later turn. Returns a function that cancels. */
  at(time: number, run: () => void): () => void;
  /** Cancels all timers. */
  stop(): void;
}

/** The maximum delay of a Node timer. Longer waits are split. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Returns a clock with real timers on `now`. */
export function systemClock(now: () => number = Date.now): Clock {
  const timers = new Set<NodeJS.Timeout>();
  const at = (time: number, run: () => void): (() => void) => {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const wait = Math.min(Math.max(Math.ceil(time - now()), 0), TIMER_MAX_MS);
      timer = setTimeout(() => {
        timers.delete(timer);
        // Timers may fire slightly early, and long waits are split.
        if (now() < time) arm();
        else run();
      }, wait);
      timers.add(timer);
    };
    arm();
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };
  return {
    now,
    at,
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
