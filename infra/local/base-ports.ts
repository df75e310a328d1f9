import { createServer } from "node:net";

/** The ports of the two base URLs: as asked for, else 8080 and 8081, else 0 for any free ones. Throws one line when a wanted one is taken. */
export async function basePorts(port: number | undefined): Promise<[number, number]> {
  if (port !== undefined) {
    for (const wanted of [port, port + 1])
      if (!(await isFree(wanted)))
        throw new Error(`Port ${wanted} is taken (--port ${port} needs ${port} and ${port + 1}); another --port, or none, finds free ones`);
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
