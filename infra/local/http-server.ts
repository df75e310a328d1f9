import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { readTarget } from "../../shared/http/http-request.ts";

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** An error in the shape of Google's REST APIs. */
interface Refusal {
  readonly code: number;
  readonly status: string;
  readonly message: string;
}

/** Names of this machine itself, at any port. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const WRONG_TARGET: Refusal = { code: 400, status: "INVALID_ARGUMENT", message: "The target of the request is neither a path nor a URL." };
const WRONG_HOST: Refusal = {
  code: 403,
  status: "PERMISSION_DENIED",
  message: "The local cloud answers only requests to this machine: Host must be 127.0.0.1, another loopback address, or localhost.",
};
const FAILED: Refusal = { code: 500, status: "INTERNAL", message: "Internal error encountered." };

/**
 * Returns an HTTP server of the local cloud, not listening yet. The listener finds a path in `request.url`, also for a target in absolute form.
 * Refused are targets that cannot be read, and hosts that are not this machine: a web page whose name resolves to 127.0.0.1 would otherwise be of the
 * same origin (DNS rebinding). A listener that fails answers 500, and the process goes on.
 */
export function createLocalServer(listener: Listener, options: ServerOptions = {}): Server {
  return createServer(options, (request, response) => {
    const target = readTarget(request.url ?? "/");
    const hosts = [request.headers.host, target?.authority].filter((host) => host !== undefined);
    if (target === undefined) refuse(request, response, WRONG_TARGET);
    else if (!hosts.every((host) => LOOPBACK.test(host))) refuse(request, response, WRONG_HOST);
    else {
      request.url = target.path;
      void answer(listener, request, response);
    }
  });
}

/** Returns the URL of a request to such a server. Its host has no meaning. */
export function urlOf(request: IncomingMessage): URL {
  return new URL(`http://local${request.url ?? "/"}`);
}

async function answer(listener: Listener, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await listener(request, response);
  } catch (error) {
    console.error(error);
    if (response.headersSent) response.destroy();
    else refuse(request, response, FAILED);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: Refusal): void {
  // A long body need not be read.
  const connection = request.complete ? {} : { connection: "close" };
  response.writeHead(error.code, { ...connection, "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify({ error }));
  request.resume();
}
