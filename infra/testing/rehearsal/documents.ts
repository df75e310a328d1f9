import type { CollectionReference, DocumentReference, Firestore, QueryDocumentSnapshot } from "@google-cloud/firestore";

/** Returns every document of a database. */
export async function allDocuments(db: Firestore): Promise<QueryDocumentSnapshot[]> {
  return below(db);
}

async function below(parent: Firestore | DocumentReference): Promise<QueryDocumentSnapshot[]> {
  const found: QueryDocumentSnapshot[] = [];
  for (const collection of await parent.listCollections()) found.push(...(await inCollection(collection)));
  return found;
}

async function inCollection(collection: CollectionReference): Promise<QueryDocumentSnapshot[]> {
  const { docs } = await collection.get();
  const nested = await Promise.all(docs.map(({ ref }) => below(ref)));
  return [...docs, ...nested.flat()];
}
