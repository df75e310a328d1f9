import { setMaxListeners } from "node:events";

/** Why something was not waited for: this process has been asked to end. What was begun goes on, and whoever asks again finds it. */
export class ShuttingDown extends Error {
  constructor() {
    super("The process was asked to end; the work goes on elsewhere");
    this.name = "Stopped";
  }
}

const asked = new AbortController();
const late = new AbortController();
// As many wait as there are requests under way.
setMaxListeners(0, asked.signal, late.signal);

/** Aborted (with `ShuttingDown`) when this process has been asked to end: what waits for others stops waiting, and hands over what stays to be done. */
export const shutdownSignal: AbortSignal = asked.signal;

/** Aborted when the process is about to end, whatever is under way: who is still without an answer gets one now. */
export const shutdownDeadline: AbortSignal = late.signal;

/** Aborts `shutdownSignal`, and `shutdownDeadline` so many milliseconds later. */
export function beginShutdown(milliseconds: number): void {
  asked.abort(new ShuttingDown());
  setTimeout(() => late.abort(new ShuttingDown()), milliseconds);
}

/** What a promise gives; throws `ShuttingDown` as soon as the signal is aborted. A signal that is left out is never. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new ShuttingDown());
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
