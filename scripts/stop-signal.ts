import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal that asks this process to stop: Ctrl-C, `kill`, or a closed terminal. A second one ends the process at once. */
export interface StopSignal {
  /** Aborted by that signal. */
  readonly signal: AbortSignal;
  /** Resolves with the signal's name. */
  readonly received: Promise<string>;
  /** The exit code of a process that the signal interrupted, as shells have it: 130 after Ctrl-C. */
  readonly exitCode: () => number;
}

/** Listens for signals that ask this process to stop. */
export function listenForStop(): StopSignal {
  const controller = new AbortController();
  // A child may end by Ctrl-C before this process sees it.
  let number: number = constants.signals.SIGINT;
  const received = new Promise<string>((resolve) => {
    for (const name of SIGNALS)
      process.once(name, () => {
        number = constants.signals[name];
        controller.abort();
        resolve(name);
      });
  });
  return { signal: controller.signal, received, exitCode: () => 128 + number };
}
