import type { Ready } from "../../infra/local/ready-file.ts";
import { bodyOf } from "../../infra/testing/response-body.ts";

/** An answer, with its time and size. */
export interface Sent {
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
  readonly bytes: number;
}

/** Returns a function that sends requests to the two base URLs of a local service. */
export function openSender(ready: Pick<Ready, "users_base_url" | "data_base_url">) {
  return async (api: "users" | "data", method: string, path: string, { key, body }: { key: string; body?: object }): Promise<Sent> => {
    const start = performance.now();
    const answer = await fetch(`${api === "users" ? ready.users_base_url : ready.data_base_url}${path}`, {
      method,
      headers: { "x-api-key": key, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const copy = answer.clone();
    const { byteLength: bytes } = await copy.arrayBuffer();
    return { status: answer.status, body: await bodyOf(answer), ms: performance.now() - start, bytes };
  };
}
