import http from "node:http";
import https from "node:https";

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
}

/** `answered` once the whole response has arrived, else `unanswered`. */
export type HttpOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: "unanswered"; readonly reason: string };

/** A running request. `abort` ends it as unanswered. */
export interface Sending {
  readonly outcome: Promise<HttpOutcome>;
  abort(): void;
}

/** Sends HTTP requests over kept-alive connections. Redirects are not followed. */
export class HttpSender {
  readonly #agents = {
    "http:": new http.Agent({ keepAlive: true, maxFreeSockets: 256 }),
    "https:": new https.Agent({ keepAlive: true, maxFreeSockets: 256 }),
  };

  /** Sends a request. `outcome` never rejects. */
  send(request: OutgoingRequest): Sending {
    const aborted = new AbortController();
    return { outcome: this.#attempt(request, aborted.signal), abort: () => aborted.abort() };
  }

  /** Closes idle connections. The caller must abort running requests. */
  close(): void {
    this.#agents["http:"].destroy();
    this.#agents["https:"].destroy();
  }

  #attempt(request: OutgoingRequest, signal: AbortSignal): Promise<HttpOutcome> {
    return new Promise((resolve) => {
      const { method, headers } = request;
      const url = new URL(request.url);
      const outgoing =
        url.protocol === "https:"
          ? https.request(url, { method, headers, signal, agent: this.#agents["https:"] })
          : http.request(url, { method, headers, signal, agent: this.#agents["http:"] });
      outgoing.on("response", (response) => {
        const { statusCode = 0 } = response;
        response.on("end", () => resolve({ kind: "answered", status: statusCode, retryAfter: response.headers["retry-after"] }));
        response.on("error", (error) => resolve({ kind: "unanswered", reason: error.message }));
        response.resume();
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a kept-alive connection just when it was reused. It never saw this request, so a retry is safe.
        if (outgoing.reusedSocket && error.code === "ECONNRESET" && !signal.aborted) resolve(this.#attempt(request, signal));
        else resolve({ kind: "unanswered", reason: error.message });
      });
      outgoing.end(request.body);
    });
  }
}
