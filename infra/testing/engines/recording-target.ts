import { EventEmitter, once } from "node:events";
import http from "node:http";
import type { LocalServer } from "../../local/server.ts";

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<http.IncomingHttpHeaders>;
  readonly body: string;
}

interface TargetAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP server for tests that records its requests. */
export interface RecordingTarget extends LocalServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Sets the answers from now on. By default all are 200. */
  respond(answer: (request: RecordedRequest, index: number) => TargetAnswer | Promise<TargetAnswer>): void;
  /** Waits until `count` requests have arrived in total, and returns them. */
  received(count: number): Promise<readonly RecordedRequest[]>;
}

/** Starts a target on a free port. */
export async function startRecordingTarget(): Promise<RecordingTarget> {
  const requests: RecordedRequest[] = [];
  const arrivals = new EventEmitter();
  let answer: (request: RecordedRequest, index: number) => TargetAnswer | Promise<TargetAnswer> = () => ({ status: 200 });
  const server = http.createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url: path = "", headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    arrivals.emit("request");
    const { status, headers: answered } = await answer(request, requests.length - 1);
    outgoing.writeHead(status, answered).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the target has no port");
  const address = `127.0.0.1:${bound.port}`;
  return {
    address,
    url: `http://${address}`,
    requests,
    respond(next) {
      answer = next;
    },
    async received(count) {
      while (requests.length < count) await once(arrivals, "request");
      return requests.slice(0, count);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
