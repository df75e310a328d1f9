import { createServer, type Server } from "node:net";
import { type LocalServer, listenOnLoopback } from "./server.ts";

/**
 * Ports of 127.0.0.1 that this process keeps for another one, which is to listen on them: a free port may be given to any program that asks for one.
 * Connections are closed.
 */
export class HeldPorts {
  readonly #held = new Map<number, LocalServer>();

  /** Holds these ports too. Throws a one-line error if one is taken; the others are held nevertheless. */
  async hold(ports: readonly number[]): Promise<void> {
    const taken: number[] = [];
    await Promise.all(
      ports
        .filter((port) => !this.#held.has(port))
        .map(async (port) => {
          try {
            this.#held.set(port, await listenOnLoopback(closing(), port));
          } catch {
            taken.push(port);
          }
        }),
    );
    if (taken.length > 0)
      throw new Error(`${taken.length === 1 ? "port" : "ports"} ${taken.join(", ")} of 127.0.0.1 taken by another process`);
  }

  /** Leaves all ports. Nobody listens on them when it resolves. */
  async release(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await Promise.all(held.map((server) => server.close()));
  }
}

function closing(): Server {
  return createServer((socket) => socket.destroy());
}
