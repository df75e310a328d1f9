/** Tells the parent process something; without a parent (run by hand) it is printed. */
export function tellParent(message: object, told: () => void = () => undefined): void {
  if (process.send) {
    process.send(message, told);
    return;
  }
  console.log(JSON.stringify(message));
  told();
}

/** How long the end may take once the parent is gone: nobody else is left to wait for. */
const ORPHAN_MS_MAX = 3000;

/**
 * Ends this process on SIGTERM, and when its parent goes, however it goes: the channel closes even when the parent is killed.
 * @param signalledMsMax how long `close` may take after a SIGTERM, in milliseconds
 */
export function endWithParent(close: () => Promise<void>, signalledMsMax = ORPHAN_MS_MAX): void {
  const endIn = (milliseconds: number) => (): void => {
    void close().finally(() => process.exit(0));
    setTimeout(() => process.exit(0), milliseconds).unref();
  };
  process.once("disconnect", endIn(ORPHAN_MS_MAX));
  process.once("SIGTERM", endIn(signalledMsMax));
  // A terminal sends Ctrl-C to the whole group; the parent decides the order of the end.
  process.on("SIGINT", () => undefined);
}
