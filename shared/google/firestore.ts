import {
  type DocumentReference,
  type DocumentSnapshot,
  type FieldPath,
  Firestore,
  type Query,
  Timestamp,
  type Transaction,
} from "@google-cloud/firestore";
import * as v from "valibot";
import { bindWithoutResource } from "../runtime/async-resource-bind.ts";
import type { Config } from "../runtime/config.ts";
import { authorizationOf } from "./access-token.ts";
import { classifyError } from "./classify-error.ts";
import { type ReadableReference, readDocument } from "./read-document.ts";

const clients = new Map<string, Firestore>();

/** Returns the process's only client of the main database for an account. The client reads FIRESTORE_EMULATOR_HOST itself. */
export function firestore(config: Config): Firestore {
  return clientOf(config, config.databases.main);
}

/** The part of a client that reads. A function that opens no more has an account that cannot write. */
export interface FirestoreReader {
  readonly collection: (path: string) => ReadableCollection;
}
type ReadableCollection = Query & { readonly doc: (id: string) => ReadableDocument };
interface ReadableDocument extends ReadableReference {
  readonly collection: (path: string) => ReadableCollection;
}

interface FirestoreBatchReader extends FirestoreReader {
  /**
   * Reads documents by their paths with one call, which returns all of them as they are at its end.
   * @param fields what is read of each; left out, all
   */
  readonly readTogether: (paths: readonly string[], fields?: readonly FieldPath[]) => Promise<DocumentSnapshot[]>;
}

/** Returns the client of the main database for stores that only read. */
export function firestoreReader(config: Config): FirestoreBatchReader {
  const client = clientOf(config, config.databases.main);
  return {
    collection: (path) => client.collection(path),
    readTogether: (paths, fields) => {
      const references = paths.map((path) => client.doc(path));
      return fields ? client.getAll(...references, { fieldMask: [...fields] }) : client.getAll(...references);
    },
  };
}

/**
 * Reads a document that does not exist from each database, so that the process is connected by the time a request reads. It waits for nothing: what fails
 * here fails again where it is needed. Costs a read each.
 */
export function connectFirestore(config: Config, databases: readonly (keyof Config["databases"])[]): void {
  for (const name of databases) readDocument(clientOf(config, config.databases[name]).doc("customers/-")).catch(() => undefined);
}

/**
 * Returns the process's only client of the usage database for an account, which every function with a key may write. Everything in it is below
 * `customers/{uid}` and may be lost: it is written outside any transaction, since no transaction spans two databases. It is deleted with the customer.
 */
export function usageFirestore(config: Config): Firestore {
  return clientOf(config, config.databases.usage);
}

function clientOf({ project, accessToken }: Config, databaseId: string): Firestore {
  const key = JSON.stringify([databaseId, accessToken]);
  const known = clients.get(key);
  if (known) return known;
  bindWithoutResource();
  // Without it the client presents the emulators' own token, "owner", to a local address.
  const customHeaders = accessToken === undefined ? {} : { Authorization: authorizationOf(accessToken) };
  const client = new Firestore({ projectId: project, databaseId, ignoreUndefinedProperties: true, customHeaders });
  clients.set(key, client);
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
    if (last && classifyError(error) === "alreadyExists" && (await readDocument(last.ref)) !== undefined) return last.made;
    throw error;
  }
}
