import { createServer } from "node:http";
import { type FindKey, openKeyFinder } from "../../shared/accounts/api-keys.ts";
import { createAuthenticate } from "../../shared/accounts/authenticate.ts";
import { openUsageRecorder } from "../../shared/accounts/key-uses.ts";
import type { Endpoint } from "../../shared/http/define-endpoint.ts";
import { serve } from "../../shared/http/serve.ts";
import type { Config } from "../../shared/runtime/config.ts";
import { createLog } from "../../shared/runtime/log.ts";
import { listen } from "../local/server.ts";
import { bodyOf } from "./response-body.ts";
import type { Answer } from "./service.ts";

interface Serving {
  readonly endpoint: Endpoint;
  /** The test's own configuration, for example with an address that never responds. */
  readonly config: Config;
  readonly now?: () => Date;
  /** Replaces the read from Firestore. */
  readonly findKey?: FindKey;
  /** The handler's timeout in milliseconds. Default: the endpoint's. */
  readonly requestMsMax?: number;
}

interface Request {
  readonly key?: string;
  /** Default: the endpoint's path. Required for a path with parameters. */
  readonly path?: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves an endpoint in the test's process, with the test's clock and configuration. `logged` holds its log lines. */
export async function serveInProcess({ endpoint, config, now = () => new Date(), findKey = openKeyFinder(config), requestMsMax }: Serving) {
  const logged: string[] = [];
  const log = createLog((line) => logged.push(line));
  const limit = requestMsMax === undefined ? {} : { requestMsMax };
  const authenticate = createAuthenticate({ environment: config.environment, findKey, recordUse: openUsageRecorder(config) });
  const handler = serve(endpoint, { config, authenticate, log, now, ...limit });
  const server = createServer((request, response) => void handler(request, response));
  const port = await listen(server);
  const call = async ({ key, path = endpoint.path, method = endpoint.method, body, headers }: Request): Promise<Answer> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { "x-api-key": key }),
        ...(body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, headers: answer.headers, body: await bodyOf(answer) };
  };
  return { call, logged, port, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Sends one request to such an endpoint and returns the response body. */
export async function callInProcess({ endpoint, config, now, ...request }: Serving & Request): Promise<unknown> {
  const served = await serveInProcess({ endpoint, config, ...(now ? { now } : {}) });
  try {
    return (await served.call(request)).body;
  } finally {
    await served.close();
  }
}
