/** A wait was abandoned because this process is shutting down. The work itself continues, and a retry finds it. */
export class ShuttingDown extends Error {
  constructor() {
    super("The process is shutting down; the work continues elsewhere");
    this.name = "ShuttingDown";
  }
}

const shutdown = new AbortController();
const deadline = new AbortController();
/** Aborted (with `ShuttingDown`) when this process is asked to end: waits stop, and unfinished work is left to others. */
export const shutdownSignal: AbortSignal = shutdown.signal;

/** Aborted when the process is about to exit: requests that are still waiting get a response now. */
export const shutdownDeadline: AbortSignal = deadline.signal;

/** Aborts `shutdownSignal` now, and `shutdownDeadline` after this many milliseconds. */
export function beginShutdown(milliseconds: number): void {
  shutdown.abort(new ShuttingDown());
  setTimeout(() => deadline.abort(new ShuttingDown()), milliseconds);
}

/** What to call when a signal is aborted: one listener for all waits, since a signal compares each new listener with all that it has. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function waitingFor(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known) return known;
  const stops = new Set<() => void>();
  waiting.set(signal, stops);
  const stopAll = (): void => {
    for (const stop of stops) stop();
  };
  signal.addEventListener("abort", stopAll, { once: true });
  return stops;
}

/** Returns a promise's result. Throws `ShuttingDown` as soon as the signal, if any, is aborted. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const stops = signal && waitingFor(signal);
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ShuttingDown());
    if (signal?.aborted) stop();
    else stops?.add(stop);
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    stops?.delete(stop);
  }
}
