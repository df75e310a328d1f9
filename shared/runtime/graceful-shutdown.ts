import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { Server as HttpServer, ServerResponse } from "node:http";
import { Server } from "node:net";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { flushSpans } from "../tracing/export.ts";
import { beginShutdown, shutdownSignal } from "./shutdown-signal.ts";

/**
 * Cloud Run kills a process ten seconds after SIGTERM. After eight, requests that are still waiting get a response.
 * Source: https://cloud.google.com/run/docs/container-contract#instance-shutdown
 */
const ANSWER_WITHIN_MS = 8_000;
/** When the process exits, even if requests are still in flight. */
export const EXIT_AFTER_MS = 9_500;
/** How long the process must be idle before it exits: a request may be on its way over a keep-alive connection. */
const DRAIN_IDLE_MS = 200;
/** Turns of the event loop without a new connection after which none is assumed to be pending, and the maximum number of turns. */
const IDLE_TURNS = 5;
const TURNS_MAX = 1000;

const RequestStart = v.object({ response: v.instance(ServerResponse), server: v.instance(HttpServer) });
const inFlight = new Set<ServerResponse>();
const servers = new Set<Server>();
let begun = 0;

/** Tracks the requests of this process on all its servers, for `drainRequests`. */
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
 * Aborts `shutdownSignal`, stops accepting connections, and resolves when all requests are answered: those in flight and those that still
 * arrive over keep-alive connections. Every response tells its client to close the connection.
 * @param known servers in addition to those that have had a request
 * @param quietMs how long there must have been no request at the end, in milliseconds
 */
export async function drainRequests(known: Iterable<Server> = [], quietMs = DRAIN_IDLE_MS): Promise<void> {
  beginShutdown(ANSWER_WITHIN_MS);
  const listening = [...new Set([...known, ...servers])].filter((server) => server.listening);
  await acceptPendingConnections(listening);
  // HTTP's own `close` would also cut idle connections, on which a request may be on its way.
  for (const server of listening) Server.prototype.close.call(server);
  for (const response of inFlight) closeAfter(response);
  for (let seen = -1; seen !== begun; ) {
    while (inFlight.size > 0) await Promise.all(Array.from(inFlight, (response) => once(response, "close")));
    seen = begun;
    await wait(quietMs);
  }
}

/**
 * Shuts the process down gracefully on SIGTERM. The entry point of a deployed function calls it before the framework serves. It removes the
 * framework's own SIGTERM handler, which answers the newest request with a 500 and exits at once, cutting off all others.
 * Source: https://github.com/GoogleCloudPlatform/functions-framework-nodejs/blob/main/src/invoker.ts
 */
export function shutDownOnSigterm(quietMs = DRAIN_IDLE_MS): void {
  trackRequests();
  const end = (): void => {
    if (shutdownSignal.aborted) return;
    setTimeout(() => process.exit(0), EXIT_AFTER_MS);
    void drainRequests([], quietMs)
      .then(flushSpans)
      .finally(() => process.exit(0));
  };
  process.on("SIGTERM", end);
  // The framework adds its handler later, when the server listens. No signal can arrive before the microtask.
  process.on("newListener", (event, listener) => {
    if (event === "SIGTERM" && listener !== end) queueMicrotask(() => process.off("SIGTERM", listener));
  });
}

/** Accepts pending connections, which closing the server would reset. Node accepts one per turn of the event loop. */
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
