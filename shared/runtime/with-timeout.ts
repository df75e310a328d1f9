import { abortable, shutdownDeadline } from "./shutdown-signal.ts";

/** Why a promise was not waited for any longer. What it stands for goes on. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`No answer in ${milliseconds} ms`);
    this.name = "TimedOut";
  }
}

/**
 * What a promise gives. Throws `TimedOut` when it gives nothing in time (Firestore's client alone tries for 45 s), and `ShuttingDown` when it
 * gives nothing before the process ends.
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
