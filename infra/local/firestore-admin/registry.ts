import * as v from "valibot";
import type { Engine } from "./engine.ts";

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
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async databases(): Promise<StoredDatabase[]> {
    return (await this.#engine.texts(REGISTRY, "databases")).map((text) => v.parse(StoredDatabase, JSON.parse(text)));
  }

  /** Rejects with ALREADY_EXISTS. */
  addDatabase(database: StoredDatabase): Promise<void> {
    return this.#engine.addText(REGISTRY, `databases/${database.id}`, JSON.stringify(database));
  }

  removeDatabase(id: string): Promise<void> {
    return this.#engine.remove(REGISTRY, `databases/${id}`);
  }

  async backups(): Promise<StoredBackup[]> {
    return (await this.#engine.texts(REGISTRY, "backups")).map((text) => v.parse(StoredBackup, JSON.parse(text)));
  }

  addBackup(backup: StoredBackup): Promise<void> {
    return this.#engine.addText(REGISTRY, `backups/${backup.id}`, JSON.stringify(backup));
  }
}
