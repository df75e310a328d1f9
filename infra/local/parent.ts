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

/**
 * Ends this process on SIGTERM, and when its parent goes away, even by a kill: the IPC channel then closes.
 * @param signalledMsMax the shutdown timeout after a SIGTERM, in milliseconds
 */
export function endWithParent(close: () => Promise<void>, signalledMsMax = ORPHAN_MS_MAX): void {
  const endIn = (milliseconds: number) => (): void => {
    void close().finally(() => process.exit(0));
    setTimeout(() => process.exit(0), milliseconds).unref();
  };
  process.once("disconnect", endIn(ORPHAN_MS_MAX));
  process.once("SIGTERM", endIn(signalledMsMax));
  // A terminal sends Ctrl-C to the whole process group. The parent decides the order of the shutdown.
  process.on("SIGINT", () => undefined);
}
