import type { Target } from "../fuzz/target.ts";
import type { WireAnswer, WireRequest } from "../fuzz/wire.ts";
import type { Chance } from "../reference/chance.ts";
import type { Party } from "./party.ts";

/** One request of a party, and the check of its response. */
export interface Move {
  readonly what: string;
  readonly request: WireRequest;
  /** The map, idempotency key or machine account that the request changes: the outcome of two concurrent changes is uncertain. */
  readonly changes?: string | undefined;
  /** Records what the party received. Returns what is wrong with the response. */
  readonly judge: (answer: WireAnswer) => string[];
}

/** The party that moves, the other party, and the target. */
export interface Turn {
  readonly target: Target;
  readonly me: Party;
  readonly other: Party;
  readonly chance: Chance;
  /** The `detail` of a 404 for an unknown id, by operation. */
  readonly unknown: ReadonlyMap<string, string>;
  /** Days of the sample data, as windows of one day. */
  readonly day: { readonly start_time: string; readonly end_time: string };
  /** Returns a new number each time, for names. */
  readonly serial: () => number;
}

interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: readonly (readonly [string, string])[];
}

/** Returns a request of a party to one of the two APIs, with its key. */
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

/** Returns the members of a response's body: none when it is not an object. */
export function membersOf({ text }: WireAnswer): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}

/** Checks that the response has one of these statuses. */
export function hasStatus(answer: WireAnswer, ...statuses: number[]): string[] {
  return statuses.includes(answer.status)
    ? []
    : [`status ${answer.status} instead of ${statuses.join(" or ")}: ${answer.text.slice(0, 300)}`];
}

/** Checks that the response equals the one for an unknown id, word for word. */
export function likeUnknown({ unknown }: Pick<Turn, "unknown">, operation: string, answer: WireAnswer): string[] {
  const { detail } = membersOf(answer);
  const expected = unknown.get(operation);
  return [
    ...hasStatus(answer, 404),
    ...(detail === expected ? [] : [`the detail is ${String(detail)}, for an unknown id it is ${expected}`]),
  ];
}

/** Returns a random item. Undefined when there is none. */
export function pickFrom<T>(chance: Chance, items: Iterable<T>): T | undefined {
  const list = [...items];
  return list.length === 0 ? undefined : chance.pick(list);
}
