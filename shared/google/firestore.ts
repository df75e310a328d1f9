import { type DocumentReference, Firestore, Timestamp, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import { classifyError } from "./classify-error.ts";

let client: Firestore | undefined;

/** The process's one Firestore client. Where FIRESTORE_EMULATOR_HOST is set the client goes there by itself. */
export function firestore({ project }: Config): Firestore {
  client ??= new Firestore({
    projectId: project,
    ignoreUndefinedProperties: true,
  });
  return client;
}

/** A time as Firestore keeps it, read as a Date. */
export const StoredTime = v.pipe(
  v.instance(Timestamp),
  v.transform((timestamp) => timestamp.toDate()),
);

/**
 * Runs a transaction that creates a document under an id of this call's own. The client repeats one whose answer was lost: where the document is
 * there already, an earlier try of this very call has made it, and what that try gave is given.
 * @param refOf the document that a run has created; undefined when it created none
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
    // The commit alone is repeated too, and then finds what it has made.
    if (last && classifyError(error) === "alreadyExists" && (await last.ref.get()).exists) return last.made;
    throw error;
  }
}
