import * as v from "valibot";
import { firestoreReader, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import { coalesceReads } from "../runtime/coalesce-reads.ts";
import type { Config } from "../runtime/config.ts";
import { PROFILES, SCOPES } from "./key-grants.ts";

/** A stored key, under its hash: all that is needed to authorise a request. */
export const ApiKey = v.object({
  uid: v.string(),
  keyLabel: v.string(),
  service: v.picklist(PROFILES),
  scopes: v.pipe(v.array(v.picklist(SCOPES)), v.readonly()),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  machineAccountAdmin: v.boolean(),
  /** From when on the key is refused; null for a key without an end. */
  expiresAt: v.optional(v.nullable(StoredTime)),
  /** Whether its customer is suspended. Kept in sync with the customer's status, so that a request needs no second read. */
  suspended: v.optional(v.boolean()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** Finds a valid key by its hash. */
export type FindKey = (hash: string) => Promise<ApiKey | undefined>;

/** Finds keys by hash: one read of `apiKeys/{hash}`, never cached. Concurrent requests with one key share a read that begins after them. */
export function openKeyFinder(config: Config): FindKey {
  const keys = firestoreReader(config).collection("apiKeys");
  return coalesceReads(async (hash) => {
    const key = await readDocument(keys.doc(hash));
    return key === undefined ? undefined : v.parse(ApiKey, key);
  });
}
