import { type DocumentSnapshot, Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Target } from "./target.ts";

/** Every document of a customer or of no customer, as text by path. Dumps are only compared. */
export type Stored = ReadonlyMap<string, string>;

const OfJob = v.object({ jobId: v.string() });

interface MainDatabase {
  readonly db: Firestore;
  /** Returns a customer's documents. Refused requests change none: uses of keys are in another database. */
  readonly dump: (uid: string) => Promise<Stored>;
  readonly close: () => Promise<void>;
}

/** Opens the main database directly. */
export function openStored({ config }: Target): MainDatabase {
  const db = new Firestore({ projectId: config.project });
  return { db, dump: (uid) => dump(db, uid), close: () => db.terminate() };
}

async function dump(db: Firestore, uid: string): Promise<Stored> {
  const customer = db.collection("customers").doc(uid);
  const collections = await db.listCollections();
  // All existing collections, so that new ones are covered without a change here.
  const [owned, named, below, keys, jobs] = await Promise.all([
    Promise.all(collections.map((collection) => collection.where("uid", "==", uid).get())),
    Promise.all(collections.map((collection) => collection.doc(uid).get())),
    customer.listCollections().then((subs) => Promise.all(subs.map((sub) => sub.get()))),
    db.collection("idempotencyKeys").get(),
    // In one query: a read for each key took minutes of a long run.
    db.collection("jobs").select("uid").get(),
  ]);
  const ownerOf = new Map(jobs.docs.map((job): [string, unknown] => [job.id, job.get("uid")]));
  const documents = [
    ...owned.flatMap(({ docs }) => docs),
    ...named.filter(({ exists }) => exists),
    ...below.flatMap(({ docs }) => docs),
    ...keys.docs.filter((key) => concerns(key, uid, ownerOf)),
  ];
  return new Map(documents.map((document) => [document.ref.path, textOf(document)]));
}

/** An idempotency record belongs to the customer of its job, or to nobody. */
function concerns(key: DocumentSnapshot, uid: string, ownerOf: ReadonlyMap<string, unknown>): boolean {
  const { jobId } = v.parse(OfJob, key.data());
  return !ownerOf.has(jobId) || ownerOf.get(jobId) === uid;
}

function textOf(document: DocumentSnapshot): string {
  return JSON.stringify(Object.entries(document.data() ?? {}));
}

/** Returns the documents in which two dumps differ: the path and the change. */
export function differences(before: Stored, after: Stored): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const [old, present] = [before.get(path), after.get(path)];
    if (old === present) return [];
    const what = old === undefined ? "was created" : present === undefined ? "was deleted" : "was changed";
    return [`${path} ${what}`];
  });
}
