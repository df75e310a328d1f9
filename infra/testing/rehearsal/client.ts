import * as v from "valibot";
import { JOB_STATUSES } from "../../../shared/jobs/job-state.ts";
import { describeError } from "../../../shared/runtime/log.ts";

/** How many characters of an answer a finding shows. */
const SHOWN = 300;

/** A customer's client. It never tries again: a request that fails is a finding. */
export interface Client {
  readonly uid: string;
  /** Sends a request to one of the two APIs. Throws a `Failed` if it gets no answer. */
  readonly ask: (call: Call) => Promise<Answer>;
  /** Sends a request and returns the parsed body of the answer. Throws a `Failed` for another status or another body. */
  readonly send: <const Schema extends v.GenericSchema>(call: Call, status: number, schema: Schema) => Promise<v.InferOutput<Schema>>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Call {
  readonly api: "users" | "data";
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a client sends its requests: the front, or one version. */
export type Bases = Readonly<Record<"users" | "data", string>>;

/** A request that was not answered as it should be. */
export class Failed extends Error {}

/** Returns a client of a customer. */
export function clientOf({ uid, key }: { readonly uid: string; readonly key: string }, bases: Bases): Client {
  const ask = async ({ api, method = "GET", path, body, headers }: Call): Promise<Answer> => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const response = await fetch(`${bases[api]}${path}`, { method, headers: { "x-api-key": key, ...type, ...headers }, ...payload });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      throw new Failed(`${method} ${path} got no answer: ${String(describeError(error).fault)}`);
    }
  };
  return {
    uid,
    ask,
    send: async (call, status, schema) => {
      const what = `${call.method ?? "GET"} ${call.path}`;
      const { status: found, text } = await ask(call);
      if (found !== status) throw new Failed(`${what} got ${found}, not ${status}: ${text.slice(0, SHOWN)}`);
      const parsed = v.safeParse(schema, text === "" ? undefined : JSON.parse(text));
      if (parsed.success) return parsed.output;
      throw new Failed(`${what} got ${text.slice(0, SHOWN)}: ${parsed.issues.map(({ message }) => message).join("; ")}`);
    },
  };
}

export const Any = v.unknown();
export const LoggedIn = v.object({ accessToken: v.string() });
export const Created = v.object({ id: v.string() });
export const ShownMap = v.object({ id: v.string(), name: v.string(), is_monitored: v.boolean() });
export const MapPage = v.object({ maps: v.array(v.object({ id: v.string() })), next_cursor: v.optional(v.nullable(v.string())) });
export const Page = v.looseObject({ next_cursor: v.nullable(v.string()) });
export const JobPage = v.object({ jobs: v.array(v.object({ job_id: v.string() })), next_cursor: v.nullable(v.string()) });
export const Submitted = v.object({ job_id: v.string() });
export const JobStand = v.object({ status: v.picklist(JOB_STATUSES), error: v.nullable(v.string()) });
export const JobResults = v.looseObject({ total_rows: v.number() });
export const Headcounts = v.object({ rows: v.array(v.object({ target_id: v.string(), timestamp: v.string() })) });
