import type { TriedCustomer } from "../fuzz/target.ts";

/** A map as known to its owner. */
interface KnownMap {
  readonly name: string;
  readonly isMonitored: boolean;
}

/** One of two customers with confusable names, with everything it received: the other one must never see it. */
export interface Party {
  readonly customer: TriedCustomer;
  /** A word in every name of this party and in none of the other's. */
  readonly marker: string;
  /** Geographies that only this party requests, by type. */
  readonly geoIds: Readonly<Record<string, readonly number[]>>;
  readonly maps: Map<string, KnownMap>;
  /** Deleted maps, which the other party must not see either. */
  readonly goneMaps: Set<string>;
  readonly jobs: Set<string>;
  readonly cancelled: Set<string>;
  /** Jobs by their idempotency keys. */
  readonly submissions: Map<string, string>;
  readonly cursors: { readonly maps: string[]; readonly jobs: string[] };
  readonly labels: Set<string>;
  /** Created keys and minted tokens. */
  readonly secrets: Set<string>;
  readonly tokens: { readonly storage: string; readonly warehouse: string };
  /** Objects of the export bucket. */
  readonly files: Set<string>;
  /** Signed URLs of its files. */
  readonly urls: string[];
  /** Its own queries in the warehouse. */
  readonly queries: string[];
}

/** Returns a party that has nothing yet. */
export function newParty(fixed: Pick<Party, "customer" | "marker" | "geoIds" | "tokens">): Party {
  const { customer, tokens } = fixed;
  return {
    ...fixed,
    maps: new Map(),
    goneMaps: new Set(),
    jobs: new Set(),
    cancelled: new Set(),
    submissions: new Map(),
    cursors: { maps: [], jobs: [] },
    labels: new Set([customer.keyLabel]),
    secrets: new Set([customer.key, tokens.storage, tokens.warehouse]),
    files: new Set(),
    urls: [],
    queries: [],
  };
}

const WORD = /[A-Za-z0-9.-]{20,}/g;

/** Returns everything of a party that a text contains: names, ids, its uid, keys and tokens. */
export function thingsIn(text: string, { customer, marker, maps, goneMaps, jobs, secrets, cursors }: Party): string[] {
  const uid = new RegExp(`${customer.uid}(?![0-9a-z])`);
  const words = text.match(WORD) ?? [];
  const isOwn = (word: string): boolean => maps.has(word) || goneMaps.has(word) || jobs.has(word) || secrets.has(word);
  return [
    ...(text.includes(marker) ? [marker] : []),
    ...(uid.test(text) ? [customer.uid] : []),
    ...words.filter(isOwn),
    ...[...cursors.maps, ...cursors.jobs].filter((cursor) => text.includes(cursor)),
  ];
}

/** Returns what a response to one party holds of the other, beyond what the request itself named. */
export function leaksIn(text: string, sent: string, other: Party): string[] {
  const named = new Set(thingsIn(sent, other));
  return [...new Set(thingsIn(text, other))]
    .filter((thing) => !named.has(thing))
    .map((thing) => `the response holds ${thing}, which belongs to the other party`);
}

const GEOGRAPHY = /"(?:origin_|destination_)?geo_id":(\d+)/g;

/** Returns the rows of geographies that only the other party has requested. */
export function foreignRows(text: string, other: Party): string[] {
  const theirs = new Set(Object.values(other.geoIds).flat());
  const found = [...text.matchAll(GEOGRAPHY)].map(([, id]) => Number(id)).filter((id) => theirs.has(id));
  return found.length > 0 ? [`there are ${found.length} rows of geographies that only the other party requested, such as ${found[0]}`] : [];
}
