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
    const wanted = ports.filter((port) => !this.#held.has(port));
    const held = await Promise.all(wanted.map((port) => this.#holdOne(port)));
    const taken = wanted.filter((_, index) => held[index] === undefined);
    if (taken.length > 0) throw new Error(`another process has ${taken.length === 1 ? "port" : "ports"} ${taken.join(", ")}`);
  }

  /** Holds as many free ports, and returns them. Throws a one-line error if there are not so many. */
  async holdFree(count: number): Promise<number[]> {
    const held = await Promise.all(Array.from({ length: count }, () => this.#holdOne()));
    return held.map((port) => {
      if (port === undefined) throw new Error("no port is free");
      return port;
    });
  }

  /** Holds no others than these from now on. */
  keep(ports: readonly number[]): void {
    for (const [port, socket] of this.#held) if (!ports.includes(port)) socket.destroy();
  }

  release(): void {
    this.keep([]);
    this.#far.close();
  }

  /** Holds a port, or a free one, and returns it. Undefined if it is taken. */
  async #holdOne(wanted?: number): Promise<number | undefined> {
    this.#farPort ??= listen(this.#far.unref());
    const socket = await connectedFrom(wanted, await this.#farPort);
    const port = socket?.localPort;
    if (socket === undefined || port === undefined) return undefined;
    this.#held.set(port, socket.once("close", () => this.#held.delete(port)).unref());
    return port;
  }
}

/** Returns a connection from a port, or from a free one, to another. Undefined if the near one is taken. */
function connectedFrom(localPort: number | undefined, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    // With an address of its own it is bound first, so that others may listen on its port.
    const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.1", ...(localPort === undefined ? {} : { localPort }) });
    socket.once("connect", () => resolve(socket)).on("error", () => resolve(undefined));
  });
}
