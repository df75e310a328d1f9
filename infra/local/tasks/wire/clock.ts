/** Time and timers, injected so that tests decide when it is later. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once when `time` has come, never before it, in a later turn. Gives a function that cancels. */
  at(time: number, run: () => void): () => void;
  /** Cancels everything. */
  stop(): void;
}

/** The longest wait that a Node timer takes; longer ones continue from here. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Real timers over `now`. */
export function systemClock(now: () => number = Date.now): Clock {
  const timers = new Set<NodeJS.Timeout>();
  const at = (time: number, run: () => void): (() => void) => {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const wait = Math.min(Math.max(Math.ceil(time - now()), 0), TIMER_MAX_MS);
      timer = setTimeout(() => {
        timers.delete(timer);
        // Timers may fire a little early, and far ones come in parts.
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
