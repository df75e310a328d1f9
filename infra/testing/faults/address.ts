import type { AddressInfo, Server, Socket } from "node:net";
import type { LocalServer } from "../../local/server.ts";

/** Parses a `host:port`. */
export function targetOf(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname, port: Number(port) };
}

/** Listens on a free port of 127.0.0.1. Closing the server also ends its connections. */
export function listenOnLoopback(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      resolve({
        address: `127.0.0.1:${portOf(server.address())}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
}

function portOf(address: AddressInfo | string | null): number {
  return address !== null && typeof address === "object" ? address.port : 0;
}
