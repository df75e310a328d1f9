/** Tells the parent process something; without a parent (run by hand) it is printed. */
export function tellParent(message: object, told: () => void = () => undefined): void {
  if (process.send) {
    process.send(message, told);
    return;
  }
  console.log(JSON.stringify(message));
  told();
}

/** Ends this process when its parent goes, however it goes: the channel closes even when the parent is killed. */
export function endWithParent(close: () => Promise<void>): void {
  const end = (): void => {
    void close().finally(() => process.exit(0));
    setTimeout(() => process.exit(0), 3000).unref();
  };
  process.once("disconnect", end);
  process.once("SIGTERM", end);
  // A terminal sends Ctrl-C to the whole group; the parent decides the order of the end.
  process.on("SIGINT", () => undefined);
}
