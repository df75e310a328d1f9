import type { Server as HttpServer } from "node:http";
import net from "node:net";
import { type Server as GrpcServer, ServerCredentials } from "@grpc/grpc-js";
import { shortenLongDeadlines } from "./grpc-deadlines.ts";
import { type LocalServer, listen } from "./server.ts";

/** The start of an HTTP/2 connection with prior knowledge (RFC 9113 §3.4). No HTTP/1 method starts with these bytes. */
const HTTP2_START = "PRI";

/** The two servers of a shared port. Neither may listen itself: the shared port passes them their connections. */
export interface SharedPortOptions {
  /** The port. 0 or absent: a free one. */
  readonly port?: number;
  readonly http1: HttpServer;
  /** With its services added; not bound. */
  readonly grpc: GrpcServer;
  /** Called for each closed connection with its peer's `address:port`, the value of a call's `getPeer()`. */
  readonly disconnected?: (peer: string) => void;
}

/**
 * Serves gRPC (h2c with prior knowledge) and HTTP/1 on one port of 127.0.0.1, as Google's emulators do. `close()` ends every connection and
 * both servers. Rejects if the port is taken.
 */
export async function listenShared(options: SharedPortOptions): Promise<LocalServer> {
  const { http1, grpc } = options;
  shortenLongDeadlines();
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<net.Socket>();
  const listener = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    socket.once("close", () => {
      sockets.delete(socket);
      options.disconnected?.(peer);
    });
    // A reset by the peer is not an error. Without a listener it would end the process.
    socket.on("error", () => socket.destroy());
    sniff(socket, (isHttp2) => {
      if (isHttp2) injector.injectConnection(socket);
      else http1.emit("connection", socket);
    });
  });
  const port = await listen(listener, options.port ?? 0);

  return {
    address: `127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      grpc.forceShutdown();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Detects the protocol from the first bytes, puts them back, and then passes the connection on. */
function sniff(socket: net.Socket, decided: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const start = head.toString("latin1", 0, HTTP2_START.length);
    const mayBeHttp2 = HTTP2_START.startsWith(start);
    if (mayBeHttp2 && start.length < HTTP2_START.length) return;
    socket.off("data", onData);
    socket.pause();
    socket.unshift(head);
    decided(mayBeHttp2);
    // Only now: the new owner listens, and a paused HTTP/1 socket would never be read.
    if (!mayBeHttp2) socket.resume();
  };
  socket.on("data", onData);
}
