import { isObject } from "./json-schema.ts";
import type { Sketch } from "./requests/sketch.ts";
import type { Target, TriedCustomer } from "./target.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

const KEPT_MAX = 20;

/** A customer that sends sketches, and the ids from its responses. */
export interface Sender {
  readonly customer: TriedCustomer;
  readonly things: Readonly<Record<"map" | "job" | "cursor", string[]>>;
}

/** Returns a sender without ids. */
export function newSender(customer: TriedCustomer): Sender {
  return { customer, things: { map: [], job: [], cursor: [] } };
}

/** Well-formed but unknown ids. */
const NOTHING = { map: "A".repeat(20), job: "00000000-0000-4000-8000-000000000000", cursor: "bm90aGluZw" } as const;

/** Returns a sketch's request with its sender's key and ids. */
export function wireRequest(sketch: Sketch, { customer, things }: Sender, { ready }: Target): WireRequest {
  const own = (text: string): string =>
    text.replaceAll("~uid~", customer.uid).replaceAll(/~(map|job|cursor)\.(\d+)~/g, (_all, kind: keyof typeof NOTHING, index: string) => {
      const list = things[kind];
      return list[Number(index) % Math.max(1, list.length)] ?? NOTHING[kind];
    });
  const api = sketch.api === "users" ? ready.users_base_url : ready.data_base_url;
  return {
    base: (sketch.functionName && ready.functions[sketch.functionName]) ?? api,
    method: sketch.method,
    target: own(sketch.target),
    headers: [...(sketch.withKey ? [["x-api-key", customer.key] as const] : []), ...sketch.headers],
    body: sketch.body === undefined ? undefined : Buffer.from(own(sketch.body), sketch.encoding),
  };
}

/** Keeps the newest ids of a response. */
export function remember({ things }: Sender, { status, text }: WireAnswer): void {
  if (status < 200 || status > 299) return;
  const body: unknown = parsed(text);
  if (!isObject(body)) return;
  const lists = [body, ...[body.maps, body.jobs].flatMap((list) => (Array.isArray(list) ? list : []))];
  for (const item of lists) {
    if (!isObject(item)) continue;
    if (typeof item.job_id === "string") keep(things.job, item.job_id);
    if (typeof item.id === "string" && !("service" in item)) keep(things.map, item.id);
    if (typeof item.next_cursor === "string") keep(things.cursor, item.next_cursor);
  }
  // Deleted ids are used again only now and then.
  if (body.msg === "Map deleted" && things.map.length > 4) things.map.splice(things.map.indexOf(String(body.id)), 1);
}

function keep(list: string[], id: string): void {
  if (!list.includes(id)) list.push(id);
  if (list.length > KEPT_MAX) list.shift();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
