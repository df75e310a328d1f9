/** Sends a message to the parent process. Without a parent (started by hand) it is printed. */
export function tellParent(message: object, sent: () => void = () => undefined): void {
  if (process.send) {
    process.send(message, sent);
    return;
  }
  console.log(JSON.stringify(message));
  sent();
}

/** The shutdown timeout once the parent is gone: nobody is left to wait for. */
const ORPHAN_MS_MAX = 3000;

interface Ending {
  readonly close: () => Promise<void>;
  readonly signalledMsMax: number;
}

let ending: Ending | undefined;

/**
 * Ends this process on SIGTERM, and when its parent goes away, even by a kill: the IPC channel then closes. A second call replaces `close`: the
 * first comes before there is anything to close, so that a parent that is gone by then leaves no process.
 * @param signalledMsMax the shutdown timeout after a SIGTERM, in milliseconds
 */
export function endWithParent(close: () => Promise<void>, signalledMsMax = ORPHAN_MS_MAX): void {
  const isFirst = ending === undefined;
  ending = { close, signalledMsMax };
  if (!isFirst) return;
  const endIn = (milliseconds: (of: Ending) => number) => (): void => {
    const now = ending ?? { close, signalledMsMax };
    void now.close().finally(() => process.exit(0));
    setTimeout(() => process.exit(0), milliseconds(now)).unref();
  };
  const orphaned = endIn(() => ORPHAN_MS_MAX);
  process.once("disconnect", orphaned);
  if (process.channel === null) orphaned();
  process.once(
    "SIGTERM",
    endIn((of) => of.signalledMsMax),
  );
  // Ctrl-C and a closed terminal are for the parent, which decides the order of the shutdown.
  for (const name of ["SIGINT", "SIGHUP"] as const) process.on(name, () => undefined);
}
