import { createServer } from "node:http";
import type { Config } from "../../../shared/config.ts";
import type { Endpoint } from "../../../shared/endpoint/define.ts";
import { serve } from "../../../shared/endpoint/serve.ts";
import { openKeyFinder } from "../../../shared/stores/api-keys.ts";

interface InProcess {
  readonly endpoint: Endpoint;
  /** Of the test's own: with an address that nobody answers at, for example. */
  readonly config: Config;
  readonly now?: () => Date;
  readonly key: string;
  /** The endpoint's own when left out; one with parameters has to be given. */
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to an endpoint that is served in the test's own process, with the test's clock and configuration; gives the answer's body. */
export async function callInProcess({
  endpoint,
  config,
  now = () => new Date(),
  key,
  path = endpoint.path,
  body,
  headers: more,
}: InProcess): Promise<unknown> {
  const handler = serve(endpoint, { config, findKey: openKeyFinder(config), log: () => undefined, now });
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  try {
    const headers = { "x-api-key": key, ...(body ? { "content-type": "application/json" } : {}), ...more };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: endpoint.method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return await answer.json();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
