import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Ready } from "../../infra/local/ready-file.ts";
import { parseBody } from "../../infra/testing/response-body.ts";

/** An answer, with its time and size. */
export interface Sent {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Returns a function that sends requests to the two base URLs of a local service. Not with `fetch`, whose streams leave much garbage: this process would
 * pause while the times of answers run.
 */
export function openSender(ready: Pick<Ready, "users_base_url" | "data_base_url">) {
  const agent = new Agent({ keepAlive: true });
  return async (api: "users" | "data", method: string, path: string, { key, body }: { key: string; body?: object }): Promise<Sent> => {
    const start = performance.now();
    const url = `${api === "users" ? ready.users_base_url : ready.data_base_url}${path}`;
    const text = body && JSON.stringify(body);
    const headers = {
      "x-api-key": key,
      ...(text !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers, agent }, resolve).once("error", reject).end(text);
    });
    const bytes = await buffer(answer);
    const answered = parseBody(bytes.toString(), answer.headers["content-type"]);
    return { status: answer.statusCode ?? 0, body: answered, ms: performance.now() - start, bytes: bytes.length };
  };
}
