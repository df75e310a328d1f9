import { constants } from "node:os";

/** The first thing that asks this process to stop: Ctrl-C, `kill`, a closed terminal, or a reader of its output that has gone (`| head`). */
export interface StopSignal {
  /** Aborted then. */
  readonly signal: AbortSignal;
  /** Resolves with the signal's name. */
  readonly received: Promise<string>;
  /** The exit code of a process that was interrupted so, as shells have it: 130 after Ctrl-C. */
  readonly exitCode: () => number;
}

type SignalName = keyof typeof constants.signals;

/** Errors of a write that nobody reads: a closed pipe, a closed terminal. */
const UNREAD = new Map<unknown, SignalName>([
  ["EPIPE", "SIGPIPE"],
  ["EIO", "SIGHUP"],
]);

/** Listens for what asks this process to stop. After the first, SIGINT and SIGTERM end it at once. */
export function listenForStop(): StopSignal {
  const controller = new AbortController();
  // A child may end by Ctrl-C before this process sees it.
  let number: number = constants.signals.SIGINT;
  const received = new Promise<string>((resolve) => {
    const stop = (name: SignalName): void => {
      if (controller.signal.aborted) return;
      for (const [asked, listener] of ends) process.off(asked, listener);
      number = constants.signals[name];
      controller.abort();
      resolve(name);
    };
    const ends = (["SIGINT", "SIGTERM"] as const).map((name) => [name, () => stop(name)] as const);
    for (const [name, listener] of ends) process.on(name, listener);
    // The kernel and the shell both send it when a terminal closes. Under nohup (`scripts/run`) the command goes on.
    process.on("SIGHUP", () => process.env.POPULUS_NOHUP === undefined && stop("SIGHUP"));
    for (const stream of [process.stdout, process.stderr])
      stream.on("error", (error) => {
        const name = "code" in error ? UNREAD.get(error.code) : undefined;
        if (name === undefined) throw error;
        stop(name);
      });
  });
  return { signal: controller.signal, received, exitCode: () => 128 + number };
}
