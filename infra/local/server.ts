import type { Server, Socket } from "node:net";

/** A running part of the local cloud. `address` is `127.0.0.1:port`. */
export interface LocalServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1 and returns it; 0 is a free one. Rejects if the port is taken. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("the server has no port"));
      else resolve(address.port);
    });
  });
}

/** Listens as `listen` does. Closing the server also ends its connections. */
export async function listenOnLoopback(server: Server, port = 0): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    address: `127.0.0.1:${await listen(server, port)}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
