import { createHash } from "node:crypto";
import { type Firestore, type Query, Timestamp } from "@google-cloud/firestore";

/** The documents of a collection: their number, and a digest of their paths and contents. */
export interface Counted {
  readonly documents: number;
  readonly digest: string;
}

/** The collections below a document; all others are at the root, and Firestore lists those. */
const NESTED = ["machineAccounts"] as const;

/** Counts the documents of a database by collection, as of a time (by default now). Two equal states have equal digests. */
export async function countDocuments(db: Firestore, at?: Date): Promise<Map<string, Counted>> {
  const consistency = { readOnly: true, ...(at ? { readTime: Timestamp.fromDate(at) } : {}) } as const;
  const roots = (await db.listCollections()).map((collection): [string, Query] => [collection.id, collection]);
  const nested = NESTED.map((id): [string, Query] => [id, db.collectionGroup(id)]);
  const counted = new Map<string, Counted>();
  for (const [name, query] of [...roots, ...nested].sort(([a], [b]) => a.localeCompare(b))) {
    const { docs } = await db.runTransaction((transaction) => transaction.get(query), consistency);
    const hash = createHash("sha256");
    for (const document of docs) hash.update(`${document.ref.path}\n${JSON.stringify(sorted(document.data()))}\n`);
    // A collection that has emptied since is not listed in a state of before.
    if (docs.length > 0) counted.set(name, { documents: docs.length, digest: hash.digest("hex").slice(0, 12) });
  }
  return counted;
}

/** The same value with the members of its maps in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}
