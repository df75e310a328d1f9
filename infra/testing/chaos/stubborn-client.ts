import { setTimeout as delay } from "node:timers/promises";

export interface StubbornAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A customer's client that follows functions/README.md: it retries calls without a response, and 429 and 503. */
export interface StubbornClient {
  /** Retries a call until it gets another response or `isDone`, called before each retry, reports its effect. Throws after 1,000 tries. */
  readonly call: (call: Call, isDone?: () => Promise<StubbornAnswer | undefined>) => Promise<StubbornAnswer>;
  /** Returns the number of responses by status. `none` counts failed connections. */
  readonly met: () => Readonly<Record<string, number>>;
}

const TRIES_MAX = 1000;
const PAUSE_MS = 300;

/** @param stop aborts calls in flight, with an error */
export function stubbornClient(stop: AbortSignal): StubbornClient {
  const met = new Map<string, number>();
  const note = (what: string): void => void met.set(what, (met.get(what) ?? 0) + 1);
  const once = async ({ method, url, key, body, headers }: Call): Promise<StubbornAnswer | undefined> => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(url, { method, headers: { "x-api-key": key, ...type, ...headers }, ...payload });
      const text = await response.text();
      note(String(response.status));
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    } catch {
      note("none");
      return undefined;
    }
  };
  return {
    call: async (call, isDone) => {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        stop.throwIfAborted();
        const answer = await once(call);
        if (answer && answer.status !== 429 && answer.status !== 503) return answer;
        await delay(PAUSE_MS);
        const done = await isDone?.();
        if (done) return done;
      }
      throw new Error(`${call.method} ${call.url} got no response in ${TRIES_MAX} tries`);
    },
    met: () => Object.fromEntries([...met].sort(([a], [b]) => a.localeCompare(b))),
  };
}
