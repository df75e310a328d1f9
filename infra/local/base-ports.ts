import { createServer } from "node:net";

/**
 * The ports of the two base URLs: `port` and `port + 1` if given, else 8080 and 8081, else 0 for free ports, also if `port` is 0. Throws a
 * one-line error if a requested port is taken, or if this user may not listen on it.
 */
export async function basePorts(port: number | undefined): Promise<[number, number]> {
  if (port === 0) return [0, 0];
  if (port !== undefined) {
    for (const wanted of [port, port + 1]) {
      const code = await tryPort(wanted);
      if (code !== undefined) throw new Error(portRefused(wanted, port, code));
    }
    return [port, port + 1];
  }
  return (await tryPort(8080)) === undefined && (await tryPort(8081)) === undefined ? [8080, 8081] : [0, 0];
}

/** Says why a port that `--port` needs cannot be had, by the code of the system's error, and what would be right. */
export function portRefused(wanted: number, port: number, code: string): string {
  const needs = `(--port ${port} needs ${port} and ${port + 1})`;
  // Most systems keep the ports below 1024 for root.
  if (code === "EACCES") return `This user may not listen on port ${wanted} ${needs}. Choose a --port from 1024, or omit it`;
  if (code === "EADDRINUSE") return `Port ${wanted} is taken ${needs}. Choose another --port, or omit it to use free ports`;
  return `Port ${wanted} of 127.0.0.1 cannot be listened on: ${code} ${needs}`;
}

/** Listens on a port for a moment. Returns the code of the system's error, or undefined if there is none. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(undefined)));
  });
}
