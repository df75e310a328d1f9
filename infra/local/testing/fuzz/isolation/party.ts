import type { TriedCustomer } from "../target.ts";

/** A map as its owner knows it. */
interface KnownMap {
  readonly name: string;
  readonly isMonitored: boolean;
}

/** One of two customers that are mixed up on purpose, with all that it was given: what the other one must never see. */
export interface Party {
  readonly customer: TriedCustomer;
  /** A word that stands in every name of this one's and in none of the other's. */
  readonly marker: string;
  /** Geographies that only this one asks for, by type. */
  readonly geoIds: Readonly<Record<string, readonly number[]>>;
  readonly maps: Map<string, KnownMap>;
  /** Maps that were deleted: still not the other's to see. */
  readonly goneMaps: Set<string>;
  readonly jobs: Set<string>;
  readonly cancelled: Set<string>;
  /** Jobs by the names under which they were submitted. */
  readonly submissions: Map<string, string>;
  readonly cursors: { readonly maps: string[]; readonly jobs: string[] };
  readonly labels: Set<string>;
  /** Keys that were made and tokens that were minted. */
  readonly secrets: Set<string>;
  readonly tokens: { readonly storage: string; readonly warehouse: string };
  /** Objects of the export bucket. */
  readonly files: Set<string>;
  /** Queries of its own in the warehouse. */
  readonly queries: string[];
}

/** A party that has nothing yet. */
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
    queries: [],
  };
}

const WORD = /[A-Za-z0-9.-]{20,}/g;

/** Everything of a party that stands in a text: names, ids, its uid, keys and tokens. */
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

/** What an answer to one party holds of the other, beyond what the request itself named. */
export function leaksIn(text: string, sent: string, other: Party): string[] {
  const named = new Set(thingsIn(sent, other));
  return [...new Set(thingsIn(text, other))]
    .filter((thing) => !named.has(thing))
    .map((thing) => `the answer holds ${thing}, which is the other's`);
}

const GEOGRAPHY = /"(?:origin_|destination_)?geo_id":(\d+)/g;

/** Rows of geographies that only the other one has asked for. */
export function foreignRows(text: string, other: Party): string[] {
  const theirs = new Set(Object.values(other.geoIds).flat());
  const found = [...text.matchAll(GEOGRAPHY)].map(([, id]) => Number(id)).filter((id) => theirs.has(id));
  return found.length > 0 ? [`there are ${found.length} rows of geographies that only the other asked for, such as ${found[0]}`] : [];
}
