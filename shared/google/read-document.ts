import type { DocumentData, DocumentReference, DocumentSnapshot } from "@google-cloud/firestore";
import { isNotFound } from "./classify-error.ts";

/** The reference of a document, to read it. */
export type ReadableReference = Pick<DocumentReference, "path" | "get"> & { readonly firestore: object };

/**
 * What the client itself makes its unary calls and its snapshots with. It is in the client and not in its types.
 * Source: https://github.com/googleapis/google-cloud-node/blob/main/handwritten/firestore/dev/src/index.ts
 */
interface ClientParts {
  /** The full name of the database. */
  readonly formattedName: string;
  readonly initializeIfNeeded: (requestTag: string) => Promise<void>;
  readonly request: (method: "getDocument", request: { readonly name: string }, requestTag: string) => Promise<object>;
  readonly snapshot_: (document: object) => DocumentSnapshot;
}

/** Names a call in the client's debug log, which the functions do not have. */
const TAG = "read";

/**
 * Reads one document outside of transactions: its fields as the client decodes them, undefined if there is none. Does as `reference.get()`, which
 * streams a batch of one and takes more than twice the CPU of the call GetDocument, on both sides. Throws the client's error.
 */
export async function readDocument(reference: ReadableReference): Promise<DocumentData | undefined> {
  const { firestore: client, path } = reference;
  if (!hasParts(client)) return (await reference.get()).data();
  try {
    await client.initializeIfNeeded(TAG);
    const document = await client.request("getDocument", { name: `${client.formattedName}/documents/${path}` }, TAG);
    return client.snapshot_(document).data();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // A database that does not exist is not found either. A batch tells the two apart, if the text does not.
    return isOfDocument(error) ? undefined : (await reference.get()).data();
  }
}

const PARTS = ["initializeIfNeeded", "request", "snapshot_"] as const;

function hasParts(client: object): client is ClientParts {
  return "formattedName" in client && PARTS.every((name) => name in client && typeof Reflect.get(client, name) === "function");
}

function isOfDocument(error: unknown): boolean {
  return error instanceof Error && /Document ".*" not found/.test(error.message);
}
