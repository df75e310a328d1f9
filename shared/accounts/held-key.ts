import type { DocumentReference, DocumentSnapshot, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import type { HeldKey } from "../http/caller.ts";
import { ApiKey } from "./api-keys.ts";

/** On whose behalf a transaction runs: a caller's, by its key, or the service's own, as for workers and the operator's tools. */
export type Actor = HeldKey | "service";

/**
 * Reads documents in a transaction, and checks the actor's key in the same transaction. So nothing is written after a key was revoked:
 * either the revocation waits for the transaction, or the transaction sees it. Throws `unauthenticated` and `permission_denied`.
 */
export async function getAllAs(
  db: Firestore,
  transaction: Transaction,
  actor: Actor,
  ...refs: readonly DocumentReference[]
): Promise<DocumentSnapshot[]> {
  const documents = await transaction.getAll(...refs, ...keyRefs(db, actor));
  if (actor !== "service") assertHeld(actor, documents.at(-1));
  return documents.slice(0, refs.length);
}

/** Returns the reference of an actor's key, to read it along with other documents; none for the service. */
export function keyRefs(db: Firestore, actor: Actor): DocumentReference[] {
  return actor === "service" ? [] : [db.collection("apiKeys").doc(actor.id)];
}

/** Checks a key by its document. Throws `unauthenticated` if there is none any more. */
export function assertHeld(key: HeldKey, document: DocumentSnapshot | undefined): void {
  key.assertHeld(document?.exists ? v.parse(ApiKey, document.data()) : undefined);
}
