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

/** A customer's client that does what the README asks of one: it repeats what was not answered, 429 and 503. */
export interface StubbornClient {
  /** Repeats a call until it is answered otherwise; `isDone`, asked before each repetition, tells that the first has taken effect. Throws after a thousand tries. */
  readonly call: (call: Call, isDone?: () => Promise<StubbornAnswer | undefined>) => Promise<StubbornAnswer>;
  /** How often which answer was met; `none` stands for connections that failed. */
  readonly met: () => Readonly<Record<string, number>>;
}

const TRIES_MAX = 1000;
const PAUSE_MS = 300;

/** @param stop ends what is under way, with an error */
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
      throw new Error(`${call.method} ${call.url} was not answered in ${TRIES_MAX} tries`);
    },
    met: () => Object.fromEntries([...met].sort(([a], [b]) => a.localeCompare(b))),
  };
}
