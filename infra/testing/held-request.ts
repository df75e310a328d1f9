import { type ClientRequest, request as open } from "node:http";
import * as v from "valibot";

/** A response to a held request. */
interface HeldAnswer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: unknown;
}

/** A request whose headers are sent and whose body is held back. */
export interface HeldRequest {
  /** Sends a part of the body. */
  readonly write: (part: string) => void;
  /** Ends the body. */
  readonly end: (part?: string) => void;
  /** The response. Rejects if the connection ends without one. */
  readonly answer: Promise<HeldAnswer>;
}

interface Held {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Sends the headers of a request with a body in chunks, as a client does that parks a request. */
export function holdRequest({ port, method, path, key }: Held): HeldRequest {
  const headers = { "x-api-key": key, "content-type": "application/json", "transfer-encoding": "chunked" };
  const asked = open({ host: "127.0.0.1", port, method, path, headers, agent: false });
  asked.flushHeaders();
  const answer = answerOf(asked);
  // A test that ends before the answer must not fail by it.
  answer.catch(() => undefined);
  return { write: (part) => void asked.write(part), end: (part) => void asked.end(part), answer };
}

function answerOf(asked: ClientRequest): Promise<HeldAnswer> {
  return new Promise((resolve, reject) => {
    asked.on("error", reject);
    asked.on("response", async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({
        status: response.statusCode ?? 0,
        connection: response.headers.connection,
        body: text === "" ? undefined : v.parse(v.unknown(), JSON.parse(text)),
      });
    });
  });
}
