import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import type { GoogleRest } from "../google-rest.ts";
import { UsageError } from "../usage-error.ts";

/** The beginning of the names of databases that a drill makes and deletes. */
export const DRILL = "drill-";

const POLL_MS_MIN = 100;
const POLL_MS_MAX = 5_000;

const Backup = v.object({ name: v.string(), database: v.string(), snapshotTime: v.string(), state: v.string() });
export type Backup = v.InferOutput<typeof Backup>;
const Backups = v.object({ backups: v.optional(v.array(Backup), []) });
const Operation = v.object({
  name: v.string(),
  done: v.optional(v.boolean(), false),
  error: v.optional(v.object({ message: v.string() })),
});
const Failure = v.object({ error: v.object({ message: v.string() }) });

const Database = v.object({
  createTime: v.string(),
  sourceInfo: v.optional(v.object({ backup: v.optional(v.object({ backup: v.string() })) })),
});
const Databases = v.object({ databases: v.optional(v.array(v.object({ name: v.string() })), []) });

/**
 * The Firestore Admin API, as far as it copies databases. Each copy is a new database, in the location of its source. Methods resolve when the
 * operation has ended, and throw a UsageError with Google's message if it is refused or fails.
 */
export interface FirestoreAdmin {
  /** Copies a database as it was at a whole minute. Needs point-in-time recovery for times before the last hour. */
  readonly clone: (source: string, target: string, snapshotTime: Date) => Promise<void>;
  /** Restores a backup, by its full name. */
  readonly restore: (backup: string, target: string) => Promise<void>;
  /** The backups of a database that can be restored, newest first. */
  readonly backups: (database: string) => Promise<Backup[]>;
  readonly remove: (database: string) => Promise<void>;
  /** When a database was made, and the time of the backup that it was made from, as long as there is that backup. */
  readonly describe: (database: string) => Promise<{ readonly createTime: Date; readonly backupTime: Date | undefined }>;
  /** The ids of the project's databases. */
  readonly list: () => Promise<string[]>;
}

/** Opens the API at a base URL. Source: google/firestore/admin/v1/firestore_admin.proto in the package @google-cloud/firestore. */
export function openFirestoreAdmin(url: string, project: string, rest: GoogleRest): FirestoreAdmin {
  const call = async (method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<unknown> => {
    const response = await rest(method, `${url}/v1/${path}`, body);
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const failure = v.safeParse(Failure, answer);
    throw new UsageError(`Firestore refused: ${failure.success ? failure.output.error.message : response.status}`);
  };
  const ended = async (started: unknown): Promise<void> => {
    let operation = v.parse(Operation, started);
    for (let pause = POLL_MS_MIN; !operation.done; pause = Math.min(pause * 2, POLL_MS_MAX)) {
      await wait(pause);
      operation = v.parse(Operation, await call("GET", operation.name));
    }
    if (operation.error) throw new UsageError(`Firestore failed: ${operation.error.message}`);
  };
  const nameOf = (id: string): string => `projects/${project}/databases/${id}`;
  const backups = async (): Promise<Backup[]> => v.parse(Backups, await call("GET", `projects/${project}/locations/-/backups`)).backups;
  return {
    clone: async (source, databaseId, snapshotTime) => {
      const pitrSnapshot = { database: nameOf(source), snapshotTime: snapshotTime.toISOString() };
      await ended(await call("POST", `projects/${project}/databases:clone`, { databaseId, pitrSnapshot }));
    },
    restore: async (backup, databaseId) => ended(await call("POST", `projects/${project}/databases:restore`, { databaseId, backup })),
    backups: async (database) => {
      const own = (await backups()).filter((backup) => backup.database === nameOf(database) && backup.state === "READY");
      return own.sort((a, b) => b.snapshotTime.localeCompare(a.snapshotTime));
    },
    describe: async (database) => {
      const { createTime, sourceInfo } = v.parse(Database, await call("GET", nameOf(database)));
      const source = sourceInfo?.backup && (await backups()).find(({ name }) => name === sourceInfo.backup?.backup);
      return { createTime: new Date(createTime), backupTime: source && new Date(source.snapshotTime) };
    },
    list: async () => {
      const { databases } = v.parse(Databases, await call("GET", `projects/${project}/databases`));
      return databases.map(({ name }) => name.split("/").at(-1) ?? "");
    },
    remove: async (database) => ended(await call("DELETE", nameOf(database))),
  };
}
