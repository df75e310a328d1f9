import type { Journal } from "../journal/journal.ts";
import { openJournal } from "../journal/open.ts";
import { type Changes, checkFields, type StoredDocument, wireDocument } from "./document.ts";
import { parseDocumentName } from "./names.ts";
import type { DocumentCodec } from "./protos.ts";
import { toMicros } from "./time.ts";

/** The state of a database when its folder was opened. */
export interface Restored {
  readonly documents: readonly StoredDocument[];
  /** The time of the last commit, microseconds; 0 before the first. */
  readonly time: number;
}

/** The persistent storage of one database. */
export interface Persistence {
  /** Returns the restored state and frees it. Later calls return an empty state. */
  former(): Restored;
  /** Writes a commit atomically. Throws `JournalFault`. */
  commit(changes: Changes, time: number): void;
  /** Resolves when all commits are on the disk. Rejects with `JournalFault`. */
  synced(): Promise<void>;
}

/** The databases of a data folder. */
export interface PersistentDatabases {
  database(name: string): Persistence;
  close(): Promise<void>;
}

/** The key of a database's last commit time. No document name starts with it. */
const CLOCK = "clock:";
const NOTHING: Restored = { documents: [], time: 0 };

/** Opens the databases of a folder. Rejects with a one-line error if they cannot be read completely. */
export async function openDatabases(directory: string, codec: DocumentCodec): Promise<PersistentDatabases> {
  const { journal, entries } = await openJournal({ directory, product: "firestore" });
  const former = new Map<string, { documents: StoredDocument[]; time: number }>();
  const formerOf = (database: string) => {
    const held = former.get(database) ?? { documents: [], time: 0 };
    former.set(database, held);
    return held;
  };
  for (const [key, bytes] of entries) {
    if (key.startsWith(CLOCK)) formerOf(key.slice(CLOCK.length)).time = Number(bytes);
    else {
      const database = key.slice(0, key.indexOf("/documents/"));
      formerOf(database).documents.push(storedDocument(database, key, codec.decode(bytes)));
    }
  }
  return {
    database(name) {
      return databasePersistence(journal, codec, name, () => {
        const held = former.get(name) ?? NOTHING;
        former.delete(name);
        return held;
      });
    },
    close: () => journal.close(),
  };
}

function databasePersistence(journal: Journal, codec: DocumentCodec, database: string, former: () => Restored): Persistence {
  return {
    former,
    commit(changes, time) {
      const written = new Map<string, Uint8Array | undefined>([[CLOCK + database, Buffer.from(String(time))]]);
      for (const [name, document] of changes) written.set(name, document && codec.encode(wireDocument(document, null)));
      journal.append(written);
    },
    synced: () => journal.synced(),
  };
}

function storedDocument(
  database: string,
  name: string,
  { fields, createTime, updateTime }: ReturnType<DocumentCodec["decode"]>,
): StoredDocument {
  return {
    ...parseDocumentName(database, name),
    fields,
    size: checkFields(name, fields),
    createTime: createTime === null ? 0 : toMicros(createTime),
    updateTime: updateTime === null ? 0 : toMicros(updateTime),
  };
}
