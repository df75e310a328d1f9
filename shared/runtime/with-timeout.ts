import { abortable, shutdownDeadline } from "./shutdown-signal.ts";

/** A wait timed out. The work behind the promise continues. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`No answer in ${milliseconds} ms`);
    this.name = "TimedOut";
  }
}

/**
 * Returns a promise's result. Throws `TimedOut` if it does not settle in time (Firestore's client alone retries for a minute), and
 * `ShuttingDown` if it does not settle before the process ends.
 */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimedOut(milliseconds)), milliseconds);
  });
  try {
    return await abortable(Promise.race([promise, late]), shutdownDeadline);
  } finally {
    clearTimeout(timer);
  }
}
