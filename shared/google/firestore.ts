import { type DocumentReference, Firestore, Timestamp, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { classifyError } from "./classify-error.ts";

let client: Firestore | undefined;

/** Returns the process's only Firestore client. The client reads FIRESTORE_EMULATOR_HOST itself. */
export function firestore({ project }: Config): Firestore {
  client ??= new Firestore({
    projectId: project,
    ignoreUndefinedProperties: true,
  });
  return client;
}

/** A Firestore timestamp, parsed into a Date. */
export const StoredTime = v.pipe(
  v.instance(Timestamp),
  v.transform((timestamp) => timestamp.toDate()),
);

/**
 * Runs a transaction that creates a document whose id is unique to this call. The client retries a transaction whose response was lost: if
 * the document exists by then, an earlier try of the same call created it, and the result of that try is returned.
 * @param refOf returns the document that a run has created; undefined if it created none
 */
export async function createOnce<T>(
  db: Firestore,
  refOf: (made: T) => DocumentReference | undefined,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let last: { readonly made: T; readonly ref: DocumentReference } | undefined;
  try {
    return await db.runTransaction(async (transaction) => {
      if (last && (await transaction.get(last.ref)).exists) return last.made;
      const made = await run(transaction);
      const ref = refOf(made);
      last = ref && { made, ref };
      return made;
    });
  } catch (error) {
    // The client also retries the commit alone, which then finds the document it created.
    if (last && classifyError(error) === "alreadyExists" && (await last.ref.get()).exists) return last.made;
    throw error;
  }
}
