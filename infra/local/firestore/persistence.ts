import { openStateDatabase, type StateDatabase } from "../persistence/state-database.ts";
import { type Changes, checkFields, type StoredDocument, wireDocument } from "./document.ts";
import { parseDocumentName, splitName } from "./names.ts";
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
  /**
   * Plans, writes and applies a commit in one step, at the end of this turn of the event loop. Commits of one turn must not depend on each
   * other. Rejects with the error of `plan`, or with `WriteFault`.
   */
  commit<Planned extends Planning>(plan: () => Planned, apply: (planned: Planned) => void): Promise<Planned>;
  /** Ends the turn for the commits so far: they are applied or refused when this returns. */
  flush(): void;
}

/** What a commit writes, and its time in microseconds. */
interface Planning {
  readonly changes: Changes;
  readonly time: number;
}

/** The databases of a data folder. */
export interface PersistentDatabases {
  database(name: string): Persistence;
  close(): void;
}

/** The key of a database's last commit time. No document name starts with it. */
const CLOCK = "clock:";
const NOTHING: Restored = { documents: [], time: 0 };

/** Opens the databases of a folder. Throws a one-line error if they cannot be read completely. */
export function openDatabases(directory: string, codec: DocumentCodec): PersistentDatabases {
  const { database, entries } = openStateDatabase({ directory, product: "firestore" });
  const former = new Map<string, { documents: StoredDocument[]; time: number }>();
  const formerOf = (name: string) => {
    const held = former.get(name) ?? { documents: [], time: 0 };
    former.set(name, held);
    return held;
  };
  for (const [key, bytes] of entries) {
    if (key.startsWith(CLOCK)) formerOf(key.slice(CLOCK.length)).time = Number(bytes);
    else {
      const { database: name } = splitName(key);
      formerOf(name).documents.push(storedDocument(name, key, codec.decode(bytes)));
    }
  }
  return {
    database(name) {
      return databasePersistence(database, codec, name, () => {
        const held = former.get(name) ?? NOTHING;
        former.delete(name);
        return held;
      });
    },
    close: () => database.close(),
  };
}

function databasePersistence(database: StateDatabase, codec: DocumentCodec, name: string, former: () => Restored): Persistence {
  const encode = ({ changes, time }: Planning) => {
    const written = new Map<string, Uint8Array | undefined>();
    for (const [document, next] of changes) written.set(document, next && codec.encode(wireDocument(next, null)));
    return written.size === 0 ? written : written.set(CLOCK + name, Buffer.from(String(time)));
  };
  return {
    former,
    commit(plan, apply) {
      return database.commit(() => {
        const planned = plan();
        const inForce = () => {
          apply(planned);
          return planned;
        };
        return { changes: encode(planned), apply: inForce };
      });
    },
    flush: () => database.flush(),
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
