import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";

/** Where a database comes from: the request's members, as the API returns them in `sourceInfo` and in the operation's metadata. */
const Source = v.union([
  v.object({ pitrSnapshot: v.object({ database: v.string(), snapshotTime: v.string() }) }),
  v.object({ backup: v.string() }),
]);
export type Source = v.InferOutput<typeof Source>;

const StoredDatabase = v.object({ id: v.string(), uid: v.string(), createTime: v.string(), source: v.nullable(Source) });
export type StoredDatabase = v.InferOutput<typeof StoredDatabase>;

const StoredBackup = v.object({
  id: v.string(),
  database: v.string(),
  databaseUid: v.string(),
  snapshotTime: v.string(),
  expireTime: v.string(),
  documentCount: v.number(),
});
export type StoredBackup = v.InferOutput<typeof StoredBackup>;

/** The prefix of the engine's databases that the API does not show: those of backups, and this registry's. */
export const HIDDEN = "local-";
const REGISTRY = `${HIDDEN}registry`;

/** The engine's database with the documents of a backup. */
export function contentOf(backupId: string): string {
  return `${HIDDEN}backup-${backupId}`;
}

/** Which databases and backups there are. It is kept in a database of the engine itself, and so for as long as the documents are. */
export class Registry {
  readonly #db: Firestore;

  constructor(database: (id: string) => Firestore) {
    this.#db = database(REGISTRY);
  }

  async databases(): Promise<StoredDatabase[]> {
    const { docs } = await this.#db.collection("databases").get();
    return docs.map((document) => v.parse(StoredDatabase, document.data()));
  }

  /** Rejects with ALREADY_EXISTS. */
  async addDatabase(database: StoredDatabase): Promise<void> {
    await this.#db.collection("databases").doc(database.id).create(database);
  }

  async removeDatabase(id: string): Promise<void> {
    await this.#db.collection("databases").doc(id).delete();
  }

  async backups(): Promise<StoredBackup[]> {
    const { docs } = await this.#db.collection("backups").get();
    return docs.map((document) => v.parse(StoredBackup, document.data()));
  }

  async addBackup(backup: StoredBackup): Promise<void> {
    await this.#db.collection("backups").doc(backup.id).create(backup);
  }
}
