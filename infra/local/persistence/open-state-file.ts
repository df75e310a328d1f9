import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { syncFolder } from "../durable-file.ts";
import { damaged, resultCode, SQLITE } from "./faults.ts";
import { StateFile, sumOf, totalOf } from "./state-file.ts";

export interface StateFileOptions {
  /** The folder of the file `state.sqlite`. Created if missing. */
  readonly directory: string;
  /** The owner of the file, in lowercase. */
  readonly product: string;
  /** The maximum size of the file in pages of 4 KiB, for tests of a full disk. */
  readonly maxPages?: number;
}

/** "Popu", in the file's header. */
const APPLICATION_ID = 0x506f7075;
/** Increase it with every change of the tables or of what the values mean. A program reads only its own version. */
const VERSION = 1;

/**
 * `integrity_check` looks at SQLite's structure, not at the content: it misses a changed byte of a value. So every entry has a CRC-32 of its
 * key and value, and `total` has the number of entries and the XOR of their CRCs, which tell a lost or an outdated page.
 */
const TABLES = [
  "CREATE TABLE entries (key BLOB PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE TABLE total (product TEXT NOT NULL, entries INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT",
];

/** The primary result codes that say nothing about the content. */
const UNUSABLE: ReadonlySet<number> = new Set([SQLITE.busy, SQLITE.readOnly, SQLITE.ioError, SQLITE.full, SQLITE.cannotOpen]);

/**
 * Opens a product's file and returns its entries, or creates an empty one. Throws a one-line error for a damaged file, one of another
 * version, product or program, or one that cannot be used.
 *
 * After a kill SQLite reads the write-ahead log up to the first frame with a wrong checksum, and takes its complete COMMITs. What a crash cut
 * off was never acknowledged. But SQLite cannot tell a torn frame from one that was damaged on the disk: that one hides the acknowledged
 * COMMITs after it, and the state is an older one, though whole. The log has about 4 MB at most, and nothing after a close.
 */
export function openStateFile(options: StateFileOptions): { readonly file: StateFile; readonly entries: ReadonlyMap<string, Buffer> } {
  const { directory, product, maxPages } = options;
  const path = join(directory, "state.sqlite");
  const journal = join(directory, "journal");
  if (existsSync(journal)) throw anotherFile(journal, "is from an older version of this service, and this version cannot read it");
  let database: DatabaseSync | undefined;
  try {
    createIfMissing(path);
    database = new DatabaseSync(path);
    // The exclusive mode comes first: with it, the log needs no shared memory, and another process cannot open the file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const isNew = isEmpty(database);
    // Before anything changes a file that is not of this program.
    if (!isNew) checkVersion(path, database);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    // On macOS the disk itself is told to write, as Node's own `fdatasync` does. Elsewhere this has no effect.
    database.exec("PRAGMA fullfsync = ON");
    if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
    // A file that is marked read-only refuses this transaction.
    database.exec("BEGIN IMMEDIATE");
    if (isNew) create(database, product);
    checkStructure(path, database, product);
    const { entries, sums } = readEntries(path, database);
    database.exec("COMMIT");
    return { file: new StateFile(path, database, sums), entries };
  } catch (error) {
    database?.close();
    throw refusal(path, error);
  }
}

/** The file is made here, because SQLite would make it readable for others. */
function createIfMissing(path: string): void {
  const directory = dirname(path);
  const isMissing = !existsSync(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  if (isMissing) for (const folder of [directory, dirname(directory)]) syncFolder(folder);
}

/** Whether nothing was ever written: the process that made the file was killed. */
function isEmpty(database: DatabaseSync): boolean {
  return header(database, "application_id") === 0 && header(database, "user_version") === 0 && tables(database).length === 0;
}

function create(database: DatabaseSync, product: string): void {
  for (const table of TABLES) database.exec(table);
  database.prepare("INSERT INTO total (product, entries, crc) VALUES (?, 0, 0)").run(product);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
}

function checkVersion(path: string, database: DatabaseSync): void {
  if (header(database, "application_id") !== APPLICATION_ID)
    throw anotherFile(path, "is not a file of this service: it is another database, or damaged");
  const version = header(database, "user_version");
  if (version !== VERSION) throw anotherFile(path, `has version ${version}, but this program reads version ${VERSION}`);
}

function checkStructure(path: string, database: DatabaseSync, product: string): void {
  const found = database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
  if (found !== "ok") throw damaged(path, String(found));
  if (tables(database).join() !== TABLES.join()) throw damaged(path, "its tables are not those of this version");
  const owner = database.prepare("SELECT product FROM total").get()?.product;
  if (owner !== product) throw anotherFile(path, `is the file of ${String(owner)}, not of ${product}`);
}

function readEntries(path: string, database: DatabaseSync) {
  const entries = new Map<string, Buffer>();
  const sums = new Map<string, number>();
  for (const { key, value, crc } of database.prepare("SELECT key, value, crc FROM entries").iterate()) {
    const [keyBytes, bytes] = [bytesOf(key), bytesOf(value)];
    const name = keyBytes?.toString() ?? "";
    if (keyBytes === undefined || bytes === undefined || crc !== sumOf(keyBytes, bytes)) {
      throw damaged(path, `the entry "${name}" has a wrong checksum`);
    }
    entries.set(name, bytes);
    sums.set(name, crc);
  }
  const total = database.prepare("SELECT entries, crc FROM total").all();
  if (total.length !== 1 || total[0]?.entries !== entries.size || total[0]?.crc !== totalOf(sums)) {
    throw damaged(path, "entries are missing or outdated");
  }
  return { entries, sums };
}

/** Returns the one-line error of a file that could not be opened or read. */
function refusal(path: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const code = resultCode(error);
  if (code === undefined) return cannotOpen(path, String(error.code), error);
  if (code === SQLITE.notADatabase) return anotherFile(path, "is no SQLite file: it is another file, or damaged");
  return UNUSABLE.has(code & 0xff) ? cannotOpen(path, error.message, error) : damaged(path, error.message);
}

function anotherFile(path: string, what: string): Error {
  return new Error(`${path} ${what}. Start with another data folder, or delete the file and lose all its data`);
}

function cannotOpen(path: string, why: string, cause: unknown): Error {
  return new Error(`${path} cannot be opened for writing (${why}); make it writable, or start with another data folder`, { cause });
}

function header(database: DatabaseSync, name: "application_id" | "user_version"): SQLOutputValue | undefined {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

function tables(database: DatabaseSync): SQLOutputValue[] {
  return database
    .prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")
    .all()
    .map(({ sql = null }) => sql);
}

function bytesOf(value: SQLOutputValue | undefined): Buffer | undefined {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined;
}
