import * as v from "valibot";
import type { Config } from "../config.ts";
import { ApiKey, type Caller } from "../schemas/api-key.ts";
import { firestore } from "./firestore.ts";

/** Finds a living key by its hash. */
export type FindKey = (hash: string) => Promise<Caller | undefined>;

/** Finds keys by hash: one read of `apiKeys/{hash}`, never cached. */
export function openKeyFinder(config: Config): FindKey {
  const keys = firestore(config).collection("apiKeys");
  return async (hash) => {
    const snapshot = await keys.doc(hash).get();
    return snapshot.exists ? v.parse(ApiKey, snapshot.data()) : undefined;
  };
}
