import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chanceOf } from "../../testing/reference/chance.ts";
import { WriteFault } from "./faults.ts";
import { openStateDatabase, type StateDatabase } from "./state-database.ts";

type Values = Readonly<Record<string, string | undefined>>;

let root: string;
let said: string[];
const open: StateDatabase[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "state-"));
  said = [];
});

afterEach(() => {
  for (const database of open.splice(0)) database.close();
  rmSync(root, { recursive: true, force: true });
});

const data = () => join(root, "data");
const file = () => join(data(), "state.sqlite");

function opened(options: { readonly directory?: string; readonly maxPages?: number } = {}): StateDatabase {
  const { database } = openStateDatabase({ directory: data(), product: "test", log: (line) => said.push(line), ...options });
  open.push(database);
  return database;
}

const changes = (values: Values) =>
  new Map(Object.entries(values).map(([key, value]) => [key, value === undefined ? undefined : Buffer.from(value)]));
const put = (database: StateDatabase, values: Values, apply = () => {}) =>
  database.commit(() => ({ changes: changes(values), apply: () => apply() }));

/** Writes changes to the disk, in one of the ways that there are. */
function write(database: StateDatabase, how: "commit" | "now" | "note" | "turn", written: ReturnType<typeof changes>): void {
  if (how === "now") database.commitNow(written);
  else if (how === "note") database.note(written);
  else void database.commit(() => ({ changes: written, apply: () => undefined }));
  if (how !== "now") database.flush();
}

/** Returns the entries of a folder, as the next start reads them. */
function held(directory = data()): Record<string, string> {
  const { database, entries } = openStateDatabase({ directory, product: "test" });
  database.close();
  return Object.fromEntries([...entries].map(([key, value]) => [key, value.toString()]));
}

/** Returns what a kill at this moment leaves for the next start. */
function heldAfterKill(): Record<string, string> {
  const copy = mkdtempSync(join(root, "copy-"));
  cpSync(data(), copy, { recursive: true });
  return held(copy);
}

describe("a state database", () => {
  it("that is reopened holds the last value of every key, also after a kill", async () => {
    const change = fc.tuple(
      fc.constantFrom("a", "b", "ü", "d e\u0000f", ""),
      fc.option(fc.string({ maxLength: 9000 }), { nil: undefined }),
    );
    const step = fc.record({ values: fc.array(change, { maxLength: 4 }), how: fc.constantFrom("commit", "now", "note", "turn") });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        rmSync(data(), { recursive: true, force: true });
        const database = opened();
        const model = new Map<string, string>();
        for (const { values, how } of steps) {
          const written = changes(Object.fromEntries(values));
          write(database, how, written);
          for (const [key, value] of written) {
            if (value === undefined) model.delete(key);
            else model.set(key, value.toString());
          }
        }
        expect(heldAfterKill()).toEqual(Object.fromEntries(model));
        database.close();
        expect(held()).toEqual(Object.fromEntries(model));
      }),
      { seed: 6, numRuns: 30 },
    );
    expect(said).toEqual([]);
  });

  it("commits all changes of a turn at once, then applies them in order; until then nobody sees them", async () => {
    const database = opened();
    await put(database, { a: "0" });
    const before = statSync(`${file()}-wal`).size;
    const seen: string[] = [];
    const all = Array.from({ length: 100 }, (_, n) =>
      put(database, { [`key ${n}`]: "x" }, () => {
        seen.push(`${n}`);
        if (n === 0) expect(Object.keys(heldAfterKill())).toHaveLength(101);
      }),
    );
    expect(seen).toEqual([]);
    expect(heldAfterKill()).toEqual({ a: "0" });
    await Promise.all(all);
    expect(seen).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
    expect(statSync(`${file()}-wal`).size - before).toBeLessThan(10 * 4096);
  });

  it("refuses a change that cannot be prepared, and commits the others of the turn", async () => {
    const database = opened();
    const refused = database.commit(() => {
      throw new Error("a precondition failed");
    });
    const [first, second] = await Promise.allSettled([refused, put(database, { a: "1" })]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect(heldAfterKill()).toEqual({ a: "1" });
  });

  it("puts the changes of the turn in force before one that is committed at once", () => {
    const database = opened();
    const seen: string[] = [];
    void put(database, { a: "1", b: "1" }, () => seen.push("first"));
    database.commitNow(changes({ a: "2" }));
    expect(seen).toEqual(["first"]);
    expect(heldAfterKill()).toEqual({ a: "2", b: "1" });
  });

  it("is readable for its owner only, and refuses a second process", () => {
    const database = opened();
    database.commitNow(changes({ a: "1" }));
    for (const path of [file(), `${file()}-wal`]) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => held()).toThrow("cannot be opened for writing (database is locked)");
  });

  it("keeps its write-ahead log small", () => {
    const database = opened();
    for (let n = 0; n < 1500; n += 1) {
      database.note(changes({ [`${n % 10}`]: "x".repeat(3000) }));
      database.flush();
    }
    expect(statSync(`${file()}-wal`).size).toBeLessThan(8 * 1024 * 1024);
    expect(statSync(file()).size).toBeLessThan(1024 * 1024);
  });
});

describe("a state database whose file was changed", () => {
  /** A closed file with rows of one page and of several pages, and with free pages. */
  function written(): { readonly bytes: Buffer; readonly content: Record<string, string> } {
    const database = opened();
    for (let n = 0; n < 30; n += 1) database.commitNow(changes({ [`key ${n}`]: `value ${n} `.repeat(n % 7 === 0 ? 900 : 8) }));
    database.commitNow(changes({ "key 7": undefined, "key 8": undefined }));
    database.close();
    return { bytes: readFileSync(file()), content: held() };
  }

  it("by one byte holds the same, or is refused with the file and the remedies", () => {
    const { bytes, content } = written();
    const chance = chanceOf(7);
    const used = [...bytes.keys()].filter((offset) => offset < 200 || bytes[offset] !== 0);
    const offsets = [...used.slice(0, 150), ...Array.from({ length: 200 }, () => used[chance.whole(0, used.length - 1)] ?? 0)];
    let refused = 0;
    for (const offset of offsets) {
      const changed = Buffer.from(bytes);
      changed[offset] = (changed[offset] ?? 0) ^ (1 << chance.whole(0, 7));
      writeFileSync(file(), changed);
      try {
        expect(held()).toEqual(content);
      } catch (error) {
        expect(String(error)).toMatch(/Start with another data folder|start with another data folder/);
        expect(String(error)).toContain(file());
        expect(readFileSync(file())).toEqual(changed);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(200);
  });

  it("by the loss of an entry, another key, or an older entry in its place is refused", () => {
    let database = opened();
    database.commitNow(changes({ a: "1", b: "1" }));
    database.close();
    copyFileSync(file(), join(root, "older"));
    database = opened();
    database.commitNow(changes({ b: "2" }));
    database.close();
    const whole = readFileSync(file());
    for (const change of [
      "DELETE FROM entries WHERE key = x'62'",
      "UPDATE entries SET key = x'63' WHERE key = x'62'",
      "INSERT OR REPLACE INTO entries SELECT * FROM older.entries",
    ]) {
      writeFileSync(file(), whole);
      const other = new DatabaseSync(file());
      other.exec(`ATTACH '${join(root, "older")}' AS older; ${change}`);
      other.close();
      expect(() => held()).toThrow(/state\.sqlite is damaged: (entries are missing or outdated|the entry "c" has a wrong checksum)/);
    }
  });

  it("by a kill at any moment of its log holds the changes up to a COMMIT", () => {
    const database = opened();
    database.commitNow(changes({ a: "0" }));
    copyFileSync(file(), join(root, "file"));
    const states = [heldAfterKill()];
    for (let n = 1; n < 6; n += 1) {
      database.commitNow(changes({ a: `${n}`, [`b ${n}`]: "x".repeat(5000) }));
      states.push(heldAfterKill());
    }
    const log = readFileSync(`${file()}-wal`);
    const torn = join(root, "torn");
    mkdirSync(torn);
    for (let size = log.length; size > 0; size -= 517) {
      copyFileSync(join(root, "file"), join(torn, "state.sqlite"));
      writeFileSync(join(torn, "state.sqlite-wal"), log.subarray(0, size));
      expect([{}, ...states]).toContainEqual(held(torn));
    }
  });
});

describe("a state database in place of which is something else", () => {
  it("refuses another version, product, database or file, and an older journal", () => {
    opened().close();
    const header = readFileSync(file());
    const refusal = (bytes: Buffer) => {
      writeFileSync(file(), bytes);
      try {
        held();
        return "";
      } catch (error) {
        expect(readFileSync(file())).toEqual(bytes);
        return String(error);
      }
    };
    const version = Buffer.from(header);
    version.writeUInt32BE(7, 60);
    expect(refusal(version)).toContain(
      "has version 7, but this program reads version 1. Start with another data folder, or delete the file",
    );
    const program = Buffer.from(header);
    program.writeUInt32BE(7, 68);
    expect(refusal(program)).toContain("is not a file of this service");
    expect(refusal(Buffer.from("the text of a thesis ".repeat(500)))).toContain("is no SQLite file: it is another file, or damaged");
    rmSync(file());
    const foreign = new DatabaseSync(file());
    foreign.exec("CREATE TABLE notes (text TEXT)");
    foreign.close();
    expect(refusal(readFileSync(file()))).toContain("is not a file of this service: it is another database");
    writeFileSync(file(), header);
    expect(() => openStateDatabase({ directory: data(), product: "pubsub" })).toThrow("is the file of test, not of pubsub");
    writeFileSync(join(data(), "journal"), "");
    expect(() => held()).toThrow(
      /data\/journal is from an older version of this service, .* Start with another data folder, or delete the file/,
    );
    writeFileSync(join(root, "taken"), "");
    expect(() => held(join(root, "taken"))).toThrow("cannot be opened for writing (EEXIST)");
  });

  it("starts anew after a kill while it was being created", () => {
    mkdirSync(data());
    writeFileSync(file(), "");
    expect(held()).toEqual({});
  });
});

describe("a state database on a full disk", () => {
  const LARGE = "x".repeat(40_000);

  it("refuses all changes of the turn and continues once there is space; the log has one line for each", async () => {
    const database = opened({ maxPages: 20 });
    await put(database, { a: "1", large: LARGE });
    const applied: string[] = [];
    const both = [put(database, { b: LARGE }, () => applied.push("b")), put(database, { a: "2" }, () => applied.push("a"))];
    for (const change of both) await expect(change).rejects.toThrow(WriteFault);
    expect(() => database.commitNow(changes({ c: LARGE }))).toThrow(/no space left on the disk .*The change was not saved; retry later/);
    expect(applied).toEqual([]);
    expect(heldAfterKill()).toEqual({ a: "1", large: LARGE });
    expect(said).toEqual([
      expect.stringMatching(/state\.sqlite cannot be written: no space left on the disk .* Changes are refused until/),
    ]);
    database.commitNow(changes({ large: undefined }));
    expect(said).toEqual([expect.anything(), `${file()} can be written again`]);
    await put(database, { b: LARGE });
    expect(heldAfterKill()).toEqual({ a: "1", b: LARGE });
  });

  it("writes noted changes later, unless a later change overrides them", () => {
    const database = opened({ maxPages: 20 });
    database.commitNow(changes({ a: "1", b: "1", c: "1", large: LARGE }));
    database.note(changes({ a: undefined, b: undefined, d: LARGE }));
    database.flush();
    expect(heldAfterKill()).toEqual({ a: "1", b: "1", c: "1", large: LARGE });
    expect(() => database.commitNow(changes({ b: "2" }))).toThrow(WriteFault);
    database.commitNow(changes({ b: "2", large: undefined }));
    expect(heldAfterKill()).toEqual({ b: "2", c: "1", d: LARGE });
  });
});
