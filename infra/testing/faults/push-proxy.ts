import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { LocalServer } from "../../local/server.ts";
import type { Random } from "../simulation/random.ts";
import { listenOnLoopback, targetOf } from "./address.ts";

export interface PushProxy extends LocalServer {
  readonly counts: () => { readonly pushes: number; readonly doubled: number; readonly unacknowledged: number };
  /** Stops the faults: each push arrives once, and its function's response is passed on. */
  readonly calm: () => void;
}

/**
 * Starts a proxy between a push subscription and its function (`host:port`). Some pushes arrive twice at once, and some acknowledgements
 * are lost.
 */
export async function startPushProxy(target: () => string, random: Random, rate: number): Promise<PushProxy> {
  const counts = { pushes: 0, doubled: 0, unacknowledged: 0 };
  let present = rate;
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await incoming.toArray());
    counts.pushes++;
    const isDoubled = random.chance(present);
    const isLost = random.chance(present / 2);
    if (isDoubled) counts.doubled++;
    if (isLost) counts.unacknowledged++;
    const copies = Array.from({ length: isDoubled ? 2 : 1 }, () => send(target(), incoming, body));
    const [first] = await Promise.all(copies);
    if (isLost || first === undefined) incoming.socket.destroy();
    else outgoing.writeHead(first).end();
  };
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  return {
    ...(await listenOnLoopback(server)),
    counts: () => ({ ...counts }),
    calm: () => {
      present = 0;
    },
  };
}

/** Returns the status of the function's response. Undefined when there was none. */
function send(target: string, { url, headers }: Pick<IncomingMessage, "url" | "headers">, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request({ ...targetOf(target), method: "POST", path: url, headers }, (answer) => {
      answer.resume();
      answer.once("close", () => resolve(answer.statusCode));
    });
    call.once("error", () => resolve(undefined));
    call.end(body);
  });
}
