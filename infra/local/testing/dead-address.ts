import { createServer, type Socket } from "node:net";
import type { LocalServer } from "../server.ts";

/** An address behind which nothing works. */
export interface DeadAddress extends LocalServer {
  /** Nobody listens there any more, and what was connected is cut: it refuses from now on. */
  readonly refuse: () => Promise<void>;
}

/** Starts one that takes every connection and never says anything. */
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
