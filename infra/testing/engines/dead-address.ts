import { createServer, type Socket } from "node:net";
import type { LocalServer } from "../../local/server.ts";

/** An address of a server that never responds. */
export interface DeadAddress extends LocalServer {
  /** Closes the server and its connections. New connections are refused from now on. */
  readonly refuse: () => Promise<void>;
}

/** Starts a server that accepts every connection and never responds. */
export async function startDeadAddress(): Promise<DeadAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { address: `127.0.0.1:${bound !== null && typeof bound === "object" ? bound.port : 0}`, refuse, close: refuse };
}
