import type { Readable } from "node:stream";

/** Runs something once after a time in milliseconds. Returns a function that cancels it. Injected, so that tests control the time. */
export type After = (milliseconds: number, run: () => void) => () => void;

/** Timers of this process. */
export const after: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** How large a stream may be in bytes, and how long it may pause and take in milliseconds. */
export interface StreamLimits {
  readonly bytesMax: number;
  readonly pauseMsMax: number;
  readonly totalMsMax: number;
}

/** A stream exceeded a limit and is no longer read. */
export class StreamLimitExceeded extends Error {
  readonly limit: keyof StreamLimits;

  constructor(limit: keyof StreamLimits) {
    super(`A stream exceeded its ${limit}`);
    this.name = "StreamLimitExceeded";
    this.limit = limit;
  }
}

/**
 * Reads a stream to its end. Throws `StreamLimitExceeded`, or the stream's own error. The stream is paused then, not destroyed: a response
 * can still be sent on its connection.
 */
export function readBytes(stream: Readable, { bytesMax, pauseMsMax, totalMsMax }: StreamLimits, startTimer: After): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (finish: () => void): void => {
      cancelPause();
      cancelTotal();
      stream.off("data", take).off("end", end).off("close", broken);
      finish();
    };
    const end = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const fail = (error: Error): void => settle(() => reject(error));
    const broken = (): void => fail(Object.assign(new Error("The stream ended early"), { code: "ECONNRESET" }));
    const exceed = (limit: keyof StreamLimits): void => {
      stream.pause();
      fail(new StreamLimitExceeded(limit));
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      cancelPause();
      if (length > bytesMax) exceed("bytesMax");
      else cancelPause = startTimer(pauseMsMax, () => exceed("pauseMsMax"));
    };
    let cancelPause = startTimer(pauseMsMax, () => exceed("pauseMsMax"));
    const cancelTotal = startTimer(totalMsMax, () => exceed("totalMsMax"));
    // Stays: an error after the last one that was waited for must not end the process.
    stream.on("error", fail);
    stream.on("data", take).on("end", end).on("close", broken);
  });
}
