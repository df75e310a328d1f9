import type { Chance } from "../../reference/chance.ts";
import type { Target } from "../target.ts";
import type { WireAnswer, WireRequest } from "../wire.ts";
import type { Party } from "./party.ts";

/** One request of a party, and what its answer must be. */
export interface Move {
  readonly what: string;
  readonly request: WireRequest;
  /** A map that the request changes: two changes of one at once have no certain outcome. */
  readonly changes?: string | undefined;
  /** Notes what the party was given; gives what is wrong with the answer. */
  readonly judge: (answer: WireAnswer) => string[];
}

/** Who moves, against whom, and where. */
export interface Turn {
  readonly target: Target;
  readonly me: Party;
  readonly other: Party;
  readonly chance: Chance;
  /** The details of a 404 for what does not exist, by operation. */
  readonly unknown: ReadonlyMap<string, string>;
  /** Days of the sample data: start and end of a window of one day. */
  readonly day: { readonly start_time: string; readonly end_time: string };
  /** Another number each time, for names. */
  readonly serial: () => number;
}

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: readonly (readonly [string, string])[];
}

/** A request of a party to one of the two APIs, with its key. */
export function apiRequest(
  { target: { ready }, me }: Pick<Turn, "target" | "me">,
  api: "users" | "data",
  { method, path, body, headers = [] }: ApiCall,
): WireRequest {
  const type = body === undefined ? [] : ([["content-type", "application/json"]] as const);
  return {
    base: api === "users" ? ready.users_base_url : ready.data_base_url,
    method,
    target: path,
    headers: [["x-api-key", me.customer.key], ...type, ...headers],
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  };
}

/** The members of an answer; none where it is no object. */
export function membersOf({ text }: WireAnswer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/** The answer must have one of these statuses. */
export function hasStatus(answer: WireAnswer, ...statuses: number[]): string[] {
  return statuses.includes(answer.status)
    ? []
    : [`status ${answer.status} instead of ${statuses.join(" or ")}: ${answer.text.slice(0, 300)}`];
}

/** What is another's is answered like what does not exist, word for word. */
export function likeUnknown({ unknown }: Pick<Turn, "unknown">, operation: string, answer: WireAnswer): string[] {
  const { detail } = membersOf(answer);
  const expected = unknown.get(operation);
  return [
    ...hasStatus(answer, 404),
    ...(detail === expected ? [] : [`the detail is ${String(detail)}, for what does not exist it is ${expected}`]),
  ];
}

/** One of a party's own things, or another's; undefined when there is none. */
export function pickFrom<T>(chance: Chance, items: Iterable<T>): T | undefined {
  const list = [...items];
  return list.length === 0 ? undefined : chance.pick(list);
}
