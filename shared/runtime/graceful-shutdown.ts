import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { Server as HttpServer, ServerResponse } from "node:http";
import { Server } from "node:net";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { beginShutdown, shutdownSignal } from "./shutdown-signal.ts";

/**
 * Cloud Run kills a process ten seconds after its SIGTERM: after eight, who still waits is answered.
 * Source: https://cloud.google.com/run/docs/container-contract#instance-shutdown
 */
const ANSWER_WITHIN_MS = 8_000;
/** Then it ends, whatever is under way. */
export const EXIT_AFTER_MS = 9_500;
/** How long there must have been no request before it ends: one may be on its way over a connection that was kept. */
const DRAIN_IDLE_MS = 200;
/** Turns of the event loop without a new connection after which none is taken to wait, and how many are waited for at most. */
const IDLE_TURNS = 5;
const TURNS_MAX = 1000;

const RequestStart = v.object({ response: v.instance(ServerResponse), server: v.instance(HttpServer) });
const inFlight = new Set<ServerResponse>();
const servers = new Set<Server>();
let begun = 0;

/** Keeps count of the requests of this process, whichever server takes them, so that `drainRequests` knows them. */
export function trackRequests(): void {
  channel("http.server.request.start").subscribe((message) => {
    const { response, server } = v.parse(RequestStart, message);
    begun++;
    servers.add(server);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    if (shutdownSignal.aborted) closeAfter(response);
  });
}

/**
 * Stops what waits in this process, takes no connection any more, and resolves when all requests are answered: those under way and those that
 * still came over connections that were kept. Each answer tells its client not to use the connection again.
 * @param known servers, beside those that have had a request
 * @param quietMs how long there must have been no request at the end, in milliseconds
 */
export async function drainRequests(known: Iterable<Server> = [], quietMs = DRAIN_IDLE_MS): Promise<void> {
  beginShutdown(ANSWER_WITHIN_MS);
  const listening = [...new Set([...known, ...servers])].filter((server) => server.listening);
  await acceptPendingConnections(listening);
  // What HTTP's own `close` would do beyond this is to cut connections on which a request may be on its way.
  for (const server of listening) Server.prototype.close.call(server);
  for (const response of inFlight) closeAfter(response);
  for (let seen = -1; seen !== begun; ) {
    while (inFlight.size > 0) await Promise.all(Array.from(inFlight, (response) => once(response, "close")));
    seen = begun;
    await wait(quietMs);
  }
}

/**
 * Ends the process as Cloud Run asks for it: for the entry of a deployed function, before the framework serves. The framework's own handler of
 * SIGTERM answers the newest request with a 500, ends at once and so cuts off all others: it is taken away.
 * Source: https://github.com/GoogleCloudPlatform/functions-framework-nodejs/blob/main/src/invoker.ts
 */
export function shutDownOnSigterm(quietMs = DRAIN_IDLE_MS): void {
  trackRequests();
  const end = (): void => {
    if (shutdownSignal.aborted) return;
    setTimeout(() => process.exit(0), EXIT_AFTER_MS);
    void drainRequests([], quietMs).finally(() => process.exit(0));
  };
  process.on("SIGTERM", end);
  // It is added when the server listens, so after this; a signal cannot come before the microtask.
  process.on("newListener", (event, listener) => {
    if (event === "SIGTERM" && listener !== end) queueMicrotask(() => process.off("SIGTERM", listener));
  });
}

/** Takes in the connections that clients have made already and nobody has accepted: Node does one a turn, and closing would reset them. */
async function acceptPendingConnections(listening: readonly Server[]): Promise<void> {
  let quietTurns = 0;
  const accepted = (): void => {
    quietTurns = 0;
  };
  for (const server of listening) server.on("connection", accepted);
  for (let turn = 0; turn < TURNS_MAX && quietTurns < IDLE_TURNS; turn++) {
    quietTurns++;
    await setImmediate();
  }
  for (const server of listening) server.off("connection", accepted);
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
