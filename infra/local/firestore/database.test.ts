import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WriteFault } from "../persistence/faults.ts";
import { Database } from "./database.ts";
import { openDatabases, type Persistence, type PersistentDatabases } from "./persistence.ts";
import { documentCodec, firestoreService } from "./protos.ts";
import { TRANSACTION_LIMITS } from "./transactions.ts";
import type { Write } from "./wire.ts";

const NAME = "projects/p/databases/d";
const ALONE = Buffer.alloc(0);
const PEER = "127.0.0.1:1";

let directory: string;
let databases: PersistentDatabases;
let database: Database;
let isFull: boolean;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "database-"));
  databases = openDatabases(directory, documentCodec(firestoreService()));
  isFull = false;
  database = new Database(NAME, () => 0, TRANSACTION_LIMITS, undefined, sometimesFull(databases.database(NAME)));
});

afterEach(() => {
  database.transactions.close();
  databases.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Rejects commits at the end of the turn while `isFull`. */
function sometimesFull(persistence: Persistence): Persistence {
  return {
    ...persistence,
    commit: (plan, apply) =>
      persistence.commit(() => {
        if (isFull) throw new WriteFault("no space");
        return plan();
      }, apply),
  };
}

const name = (path: string) => `${NAME}/documents/${path}`;

function set(path: string, n: number, exists?: boolean): Write {
  const fields = { n: { valueType: "integerValue" as const, integerValue: String(n) } };
  const update = { name: name(path), fields, createTime: null, updateTime: null };
  return { update, updateMask: null, updateTransforms: [], currentDocument: exists === undefined ? null : { exists } };
}

const commit = (...writes: Write[]) => database.commit(writes, ALONE, PEER);
const read = (path: string) => database.store.get(name(path))?.fields.n;

describe("a database with a data folder", () => {
  it("applies commits at the end of the turn, those of the same document one after the other", async () => {
    const outcomes = [commit(set("a/b", 1, false)), commit(set("a/b", 2, false)), commit(set("a/c", 3, false))];
    expect([read("a/b"), read("a/c")]).toEqual([undefined, undefined]);
    expect((await Promise.allSettled(outcomes)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect([read("a/b"), read("a/c")]).toMatchObject([{ integerValue: "1" }, { integerValue: "3" }]);
  });

  it("never reads at a time whose commits it does not see", async () => {
    const committed = commit(set("a/b", 1));
    // It has its locks by now and waits for the end of the turn.
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    const before = database.clock.readTime();
    expect(read("a/b")).toBeUndefined();
    await committed;
    expect(database.store.at(before)?.get(name("a/b"))).toBeUndefined();
  });

  it("keeps a transaction whose commit could not be written, with its locks, and no other request joins its commit", async () => {
    const { id } = database.transactions.begin(null, PEER);
    await database.transactions.within(id, PEER, (transaction) => database.transactions.lock(transaction, [name("a/b")]));
    isFull = true;
    const failed = database.commit([set("a/b", 1)], id, PEER);
    await expect(database.commit([], id, PEER)).rejects.toThrow("expired");
    await expect(failed).rejects.toThrow(WriteFault);
    expect(read("a/b")).toBeUndefined();
    const other = commit(set("a/b", 2));
    isFull = false;
    await database.commit([set("a/b", 1, false)], id, PEER);
    await other;
    expect(read("a/b")).toMatchObject({ integerValue: "2" });
    await expect(database.commit([], id, PEER)).rejects.toThrow("expired");
  });

  it("is restored under its own name, also under that of a part of the documents' names", async () => {
    const odd = "projects/p/databases/documents";
    const open = () => new Database(odd, () => 0, TRANSACTION_LIMITS, undefined, databases.database(odd));
    const [path, fields] = [`${odd}/documents/a/b`, { n: { valueType: "integerValue" as const, integerValue: "1" } }];
    const write = {
      update: { name: path, fields, createTime: null, updateTime: null },
      updateMask: null,
      updateTransforms: [],
      currentDocument: null,
    };
    await open().commit([write], ALONE, PEER);
    databases.close();
    databases = openDatabases(directory, documentCodec(firestoreService()));
    expect(open().store.get(path)?.fields).toEqual(fields);
  });

  it("clears what was committed in the same turn, too", async () => {
    const committed = commit(set("a/b", 1));
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    await database.clear();
    await committed;
    expect(read("a/b")).toBeUndefined();
  });
});
