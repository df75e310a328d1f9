import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { LocalServer } from "../../local/server.ts";
import { listenOnLoopback, targetOf } from "./address.ts";
import type { Fates } from "./fate.ts";

/** The response of Google's REST APIs when they are unavailable. Source: https://cloud.google.com/bigquery/docs/error-messages */
const UNAVAILABLE = JSON.stringify({
  error: { code: 503, message: "Injected: the service is unavailable", errors: [{ reason: "backendError", message: "Injected" }] },
});

/** Starts a proxy of an HTTP/1 service (`host:port`) that applies the drawn fates to its calls. Bodies stream through it. */
export async function startHttpProxy(target: string, fates: Fates): Promise<LocalServer> {
  const server = createServer((incoming, outgoing) => {
    const fate = fates.next();
    if (fate === "reset") incoming.socket.destroy();
    else if (fate === "unavailable") {
      incoming.resume();
      refuse(outgoing);
    } else if (fate === "slow") setTimeout(() => forward(target, incoming, outgoing), fates.delayMs());
    else if (fate === "passed") forward(target, incoming, outgoing);
    else carryOut(target, incoming, () => (fate === "reset after its effect" ? incoming.socket.destroy() : refuse(outgoing)));
  });
  return listenOnLoopback(server);
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const call = request({ ...targetOf(target), method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    answer.once("error", () => outgoing.destroy());
  });
  call.once("error", () => incoming.socket.destroy());
  outgoing.once("close", () => call.destroy());
  incoming.pipe(call);
}

/** Forwards a call, waits for its whole response and drops it. */
function carryOut(target: string, incoming: IncomingMessage, done: () => void): void {
  const call = request({ ...targetOf(target), method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
    answer.resume();
    answer.once("close", done);
  });
  call.once("error", () => incoming.socket.destroy());
  incoming.pipe(call);
}

function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(503, { "content-type": "application/json" }).end(UNAVAILABLE);
}
