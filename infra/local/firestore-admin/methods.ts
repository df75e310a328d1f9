import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import * as v from "valibot";
import { DatabaseId } from "../../../shared/runtime/config.ts";
import { message, parseRequest } from "../tasks/wire/message-fields.ts";
import { RpcError } from "../tasks/wire/rpc-error.ts";
import type { Engine } from "./engine.ts";
import { type Operation, Operations } from "./operations.ts";
import { contentOf, HIDDEN, Registry, type Source, type StoredBackup, type StoredDatabase } from "./registry.ts";

/** What a local backup is kept for, as the daily ones of a deployment. */
const BACKUP_KEPT_MS = 7 * 86_400_000;
/** For how long the real service reads the past of a database without point-in-time recovery. */
const VERSION_RETENTION = "3600s";
const MINUTE_MS = 60_000;
/** Where local databases and backups say they are. */
const LOCATION = "europe-north1";

const Instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => new Date(text)),
);
const CloneRequest = message({
  databaseId: v.string(),
  pitrSnapshot: message({ database: v.string(), snapshotTime: Instant }),
});
const RestoreRequest = message({ databaseId: v.string(), backup: v.string() });

export interface AdminOptions {
  readonly project: string;
  readonly engine: Engine;
  /** The databases that exist from the start, by their ids. */
  readonly databases: readonly string[];
  readonly now: () => Date;
  /** When the engine was started: it knows no older versions of documents. */
  readonly since: Date;
}

/**
 * The part of the Firestore Admin API that copies databases: clones of a past minute, backups and their restoration, each into a database of
 * another name. Source: google/firestore/admin/v1/firestore_admin.proto in the client's package.
 */
export class AdminMethods {
  readonly #options: AdminOptions;
  readonly #registry: Registry;
  readonly #operations = new Operations();
  #ready: Promise<unknown> | undefined;

  constructor(options: AdminOptions) {
    this.#options = options;
    this.#registry = new Registry(options.engine);
  }

  async listDatabases(): Promise<object> {
    const databases = await this.#databases();
    return { databases: databases.map((database) => this.#describe(database)) };
  }

  async getDatabase(id: string): Promise<object> {
    return this.#describe(await this.#databaseOf(this.#nameOf(id)));
  }

  async deleteDatabase(id: string): Promise<Operation> {
    const { databases, engine, now } = this.#options;
    const database = await this.#databaseOf(this.#nameOf(id));
    // Those of a deployment are protected too.
    if (databases.includes(id)) throw refused(status.FAILED_PRECONDITION, `Database ${id} has delete protection enabled.`);
    return this.#operations.start({ database: this.#nameOf(id), metadata: ["DeleteDatabaseMetadata", {}], now }, async () => {
      await engine.clear(id);
      await this.#registry.removeDatabase(id);
      return this.#describe(database);
    });
  }

  async cloneDatabase(request: unknown): Promise<Operation> {
    const { engine, now } = this.#options;
    const { databaseId, pitrSnapshot } = parseRequest(CloneRequest, request);
    const { snapshotTime } = pitrSnapshot;
    const source = await this.#databaseOf(pitrSnapshot.database);
    if (snapshotTime.getTime() % MINUTE_MS !== 0) throw invalid("The snapshot time must be a whole minute.");
    if (snapshotTime > now()) throw invalid("The snapshot time cannot be in the future.");
    const earliest = this.#earliestVersion(source);
    if (snapshotTime < earliest) throw invalid(`The snapshot time is before the earliest version time, ${earliest.toISOString()}.`);
    const snapshot = { database: pitrSnapshot.database, snapshotTime: snapshotTime.toISOString() };
    const metadata = ["CloneDatabaseMetadata", { pitrSnapshot: snapshot }] as const;
    return this.#make(databaseId, { pitrSnapshot: snapshot }, metadata, async () => {
      await engine.copy(source.id, databaseId, snapshotTime);
    });
  }

  async restoreDatabase(request: unknown): Promise<Operation> {
    const { databaseId, backup: name } = parseRequest(RestoreRequest, request);
    const backup = (await this.#registry.backups()).find(({ id }) => this.#backupName(id) === name);
    if (!backup) throw refused(status.NOT_FOUND, `Backup ${name} does not exist.`);
    return this.#make(databaseId, { backup: name }, ["RestoreDatabaseMetadata", { backup: name }], async () => {
      await this.#options.engine.copy(contentOf(backup.id), databaseId);
    });
  }

  async listBackups(location: string): Promise<object> {
    const backups = location === "-" || location === LOCATION ? await this.#registry.backups() : [];
    return { backups: backups.map((backup) => this.#describeBackup(backup)) };
  }

  /** Takes the backup that a daily schedule would take now. The real API has no such method: only its schedules take backups. */
  async takeBackup(databaseId: string): Promise<object> {
    const { engine } = this.#options;
    const { uid } = await this.#databaseOf(this.#nameOf(databaseId));
    const id = randomUUID();
    const { documents, at } = await engine.copy(databaseId, contentOf(id));
    const backup = {
      ...{ id, database: this.#nameOf(databaseId), databaseUid: uid, documentCount: documents },
      ...{ snapshotTime: at.toISOString(), expireTime: new Date(at.getTime() + BACKUP_KEPT_MS).toISOString() },
    };
    await this.#registry.addBackup(backup);
    return this.#describeBackup(backup);
  }

  getOperation(name: string): Operation {
    return this.#operations.get(name);
  }

  /** Waits for what runs, and ends the connection to the engine. */
  async close(): Promise<void> {
    await this.#operations.settled();
    this.#options.engine.close();
  }

  /** Makes a database in an operation. Its name is taken at once, and free again if that fails. */
  async #make(id: string, source: Source, metadata: readonly [string, object], fill: () => Promise<void>): Promise<Operation> {
    const { engine, now } = this.#options;
    if (!v.is(DatabaseId, id) || id === "(default)" || id.startsWith(HIDDEN))
      throw invalid(`Invalid database id ${id}: 4 to 63 lower-case letters, digits and dashes, and not the beginning ${HIDDEN}`);
    if ((await this.#databases()).some((database) => database.id === id))
      throw refused(status.ALREADY_EXISTS, "Database already exists. Please use another database_id");
    const database = { id, uid: randomUUID(), createTime: now().toISOString(), source };
    await this.#registry.addDatabase(database);
    return this.#operations.start({ database: this.#nameOf(id), metadata, now }, async (operation) => {
      try {
        await fill();
      } catch (error) {
        await engine.clear(id);
        await this.#registry.removeDatabase(id);
        throw error;
      }
      return this.#describe(database, operation);
    });
  }

  async #databases(): Promise<StoredDatabase[]> {
    this.#ready ??= this.#register();
    await this.#ready;
    return this.#registry.databases();
  }

  async #register(): Promise<void> {
    const known = new Set((await this.#registry.databases()).map(({ id }) => id));
    const createTime = this.#options.since.toISOString();
    for (const id of this.#options.databases)
      if (!known.has(id)) await this.#registry.addDatabase({ id, uid: randomUUID(), createTime, source: null });
  }

  async #databaseOf(name: string): Promise<StoredDatabase> {
    const found = (await this.#databases()).find(({ id }) => this.#nameOf(id) === name);
    if (!found)
      throw refused(status.NOT_FOUND, `The database ${name.split("/").at(-1)} does not exist for project ${this.#options.project}.`);
    return found;
  }

  #earliestVersion({ createTime }: StoredDatabase): Date {
    return new Date(Math.max(this.#options.since.getTime(), Date.parse(createTime)));
  }

  #describe(database: StoredDatabase, operation?: string): object {
    const { id, uid, createTime, source } = database;
    return {
      ...{ name: this.#nameOf(id), uid, createTime, locationId: LOCATION, type: "FIRESTORE_NATIVE" },
      concurrencyMode: "PESSIMISTIC",
      pointInTimeRecoveryEnablement: "POINT_IN_TIME_RECOVERY_DISABLED",
      ...{ versionRetentionPeriod: VERSION_RETENTION, earliestVersionTime: this.#earliestVersion(database).toISOString() },
      deleteProtectionState: this.#options.databases.includes(id) ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED",
      ...(source && "backup" in source ? { sourceInfo: { backup: { backup: source.backup }, ...(operation && { operation }) } } : {}),
    };
  }

  #describeBackup({ id, database, databaseUid, snapshotTime, expireTime, documentCount }: StoredBackup): object {
    return {
      ...{ name: this.#backupName(id), database, databaseUid, snapshotTime, expireTime, state: "READY" },
      stats: { documentCount: String(documentCount) },
    };
  }

  #nameOf(id: string): string {
    return `projects/${this.#options.project}/databases/${id}`;
  }

  #backupName(id: string): string {
    return `projects/${this.#options.project}/locations/${LOCATION}/backups/${id}`;
  }
}

function refused(code: status, text: string): RpcError {
  return new RpcError(code, text);
}

function invalid(text: string): RpcError {
  return refused(status.INVALID_ARGUMENT, text);
}
