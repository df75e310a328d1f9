import { createServer } from "node:net";

/**
 * The ports of the two base URLs: `port` and `port + 1` if given, else 8080 and 8081, else 0 for free ports, also if `port` is 0. Throws a
 * one-line error if a requested port is taken.
 */
export async function basePorts(port: number | undefined): Promise<[number, number]> {
  if (port === 0) return [0, 0];
  if (port !== undefined) {
    for (const wanted of [port, port + 1])
      if (!(await isFree(wanted)))
        throw new Error(
          `Port ${wanted} is taken (--port ${port} needs ${port} and ${port + 1}). Choose another --port, or omit it to use free ports`,
        );
    return [port, port + 1];
  }
  return (await isFree(8080)) && (await isFree(8081)) ? [8080, 8081] : [0, 0];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
