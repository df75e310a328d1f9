import { connect, createServer, type Socket } from "node:net";
import { listen } from "./server.ts";

/**
 * Keeps ports of 127.0.0.1 for a process that is to listen on them again: a free port may be given to any program that asks for one. Each is held as the
 * near end of a connection, so that the system gives it to nobody, but whoever names it may listen on it, and until then connections are refused.
 */
export class HeldPorts {
  readonly #held = new Map<number, Socket>();
  readonly #far = createServer((socket) =>
    socket
      .on("error", () => socket.destroy())
      .resume()
      .unref(),
  );
  #farPort: Promise<number> | undefined;

  /** Holds these ports too. Throws a one-line error if another process listens on one; the others are held nevertheless. */
  async hold(ports: readonly number[]): Promise<void> {
    this.#farPort ??= listen(this.#far.unref());
    const farPort = await this.#farPort;
    const taken: number[] = [];
    const holdOne = async (port: number): Promise<void> => {
      const socket = await connectedFrom(port, farPort);
      if (socket) this.#held.set(port, socket.once("close", () => this.#held.delete(port)).unref());
      else taken.push(port);
    };
    await Promise.all(ports.filter((port) => !this.#held.has(port)).map(holdOne));
    if (taken.length > 0) throw new Error(`another process has ${taken.length === 1 ? "port" : "ports"} ${taken.join(", ")}`);
  }

  release(): void {
    for (const socket of this.#held.values()) socket.destroy();
    this.#far.close();
  }
}

/** Returns a connection between two ports. Undefined if the near one is taken. */
function connectedFrom(localPort: number, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.1", localPort });
    socket.once("connect", () => resolve(socket)).on("error", () => resolve(undefined));
  });
}
