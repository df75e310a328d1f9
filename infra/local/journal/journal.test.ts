import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Disk, systemDisk } from "./append-file.ts";
import { JournalFault } from "./faults.ts";
import type { Journal } from "./journal.ts";
import { openJournal } from "./open.ts";

let root: string;
let said: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "journal-"));
  said = [];
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const opened = (options: { readonly disk?: Disk; readonly rewriteBytesMin?: number; readonly directory?: string } = {}) =>
  openJournal({ directory: join(root, "data"), product: "test", log: (line) => said.push(line), ...options });

const put = (journal: Journal, entries: Readonly<Record<string, string | undefined>>) =>
  journal.append(new Map(Object.entries(entries).map(([key, value]) => [key, value === undefined ? undefined : Buffer.from(value)])));

/** Returns the entries of a journal opened anew, as by a start after a kill. */
async function held(directory?: string): Promise<Record<string, string>> {
  const { journal, entries } = await opened(directory === undefined ? {} : { directory });
  await journal.close();
  return Object.fromEntries([...entries].map(([key, value]) => [key, value.toString()]));
}

const file = () => join(root, "data", "journal");

describe("a journal", () => {
  it("that is reopened holds the last value of every key, however often it was rewritten meanwhile", async () => {
    const change = fc.tuple(fc.constantFrom("a", "b", "ü", "d e", ""), fc.option(fc.string({ maxLength: 200 }), { nil: undefined }));
    const commit = fc.record({ changes: fc.array(change, { maxLength: 4 }), sync: fc.boolean(), note: fc.boolean() });
    let rewrites = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(commit, { maxLength: 30 }), async (commits) => {
        const directory = mkdtempSync(join(root, "run-"));
        const model = new Map<string, string>();
        const { journal } = await opened({ directory, rewriteBytesMin: 300, disk: { ...systemDisk, syncNow: () => rewrites++ } });
        for (const { changes, sync, note } of commits) {
          const written = new Map(changes.map(([key, value]) => [key, value === undefined ? undefined : Buffer.from(value)]));
          if (note) journal.note(written);
          else journal.append(written);
          for (const [key, value] of written) {
            if (value === undefined) model.delete(key);
            else model.set(key, value.toString());
          }
          if (sync) await journal.synced();
        }
        // Not closed, as after a kill.
        const copy = mkdtempSync(join(root, "copy-"));
        copyFileSync(join(directory, "journal"), join(copy, "journal"));
        expect(await held(copy)).toEqual(Object.fromEntries(model));
        await journal.close();
        expect(await held(directory)).toEqual(Object.fromEntries(model));
      }),
      { seed: 6, numRuns: 100 },
    );
    expect(rewrites).toBeGreaterThan(10);
    expect(said).toEqual([]);
  });

  it("drops an incomplete last change, at any length, and logs it", async () => {
    const { journal } = await opened();
    put(journal, { a: "1", b: "2" });
    const whole = statSync(file()).size;
    put(journal, { a: "x", c: "3" });
    await journal.close();
    const all = readFileSync(file());
    for (let size = whole; size < all.length; size += 1) {
      writeFileSync(file(), all.subarray(0, size));
      expect(await held()).toEqual({ a: "1", b: "2" });
      expect(statSync(file()).size).toBe(whole);
      expect(said.splice(0)).toEqual(
        size === whole ? [] : [expect.stringContaining(`dropped the last ${size - whole} bytes, an incomplete change`)],
      );
    }
    // Allocated but unwritten bytes, as after a power failure.
    truncateSync(file(), whole + 5000);
    expect(await held()).toEqual({ a: "1", b: "2" });
  });

  it("with any one byte changed is refused, with the file and the remedies in the error", async () => {
    const { journal } = await opened();
    for (const key of ["a", "b", "c"]) put(journal, { [key]: "value ".repeat(5), gone: key === "b" ? undefined : key });
    await journal.close();
    const whole = readFileSync(file());
    for (let offset = 0; offset < whole.length; offset += 1) {
      const bytes = Buffer.from(whole);
      bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8));
      writeFileSync(file(), bytes);
      const refusal = await held().catch((error: unknown) => String(error));
      expect(refusal).toMatch(/journal (is damaged at byte \d+: .*|does not start .*|has version .*|is the journal of .*)delete/);
      expect(refusal).toContain(file());
      expect(readFileSync(file())).toEqual(bytes);
    }
  });

  it("of another version, another product, or in an unusable folder is refused with a clear message", async () => {
    const { journal } = await opened();
    await journal.close();
    writeFileSync(file(), "populus journal 7 test\n");
    await expect(held()).rejects.toThrow("has version 7, but this program reads version 1");
    writeFileSync(file(), "populus journal 1 pubsub\n");
    await expect(held()).rejects.toThrow("is the journal of pubsub, not of test");
    writeFileSync(join(root, "taken"), "");
    await expect(held(join(root, "taken"))).rejects.toThrow("cannot be opened for writing (EEXIST)");
  });

  it("ignores an unfinished rewrite left by a kill", async () => {
    const { journal } = await opened();
    put(journal, { a: "1" });
    await journal.close();
    writeFileSync(`${file()}.new`, readFileSync(file()).subarray(0, 30));
    expect(await held()).toEqual({ a: "1" });
    expect(readdirSync(join(root, "data"))).toEqual(["journal"]);
  });

  it("syncs once for all waiters", async () => {
    let syncs = 0;
    const sync: Disk["sync"] = (handle) => {
      syncs += 1;
      return systemDisk.sync(handle);
    };
    const { journal } = await opened({ disk: { ...systemDisk, sync } });
    syncs = 0;
    const waiting = Array.from({ length: 100 }, (_, index) => {
      put(journal, { [index]: "x" });
      return journal.synced();
    });
    await Promise.all(waiting);
    expect(syncs).toBe(1);
    await journal.synced();
    expect(syncs).toBe(1);
    await journal.close();
  });
});

/** A disk on which the test sets the free bytes and whether a sync succeeds. */
function weakDisk() {
  const weak = { room: Number.POSITIVE_INFINITY, broken: false };
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  const disk: Disk = {
    write(fd, bytes, from, length, position) {
      const taken = Math.min(length, weak.room);
      if (taken === 0) fail("ENOSPC");
      weak.room -= taken;
      return systemDisk.write(fd, bytes, from, taken, position);
    },
    truncate: systemDisk.truncate,
    sync: async (handle) => (weak.broken ? fail("EIO") : systemDisk.sync(handle)),
    syncNow: (fd) => (weak.broken ? fail("EIO") : systemDisk.syncNow(fd)),
  };
  return { weak, disk };
}

describe("a journal on a full disk", () => {
  it("refuses changes whole and continues once there is space; the log has one line for each", async () => {
    const { weak, disk } = weakDisk();
    const { journal } = await opened({ disk });
    put(journal, { a: "1" });
    const size = statSync(file()).size;
    for (const room of [0, 1, 11, 12, 20]) {
      weak.room = room;
      expect(() => put(journal, { a: "2", b: "2" })).toThrow(JournalFault);
      expect(statSync(file()).size).toBe(size);
    }
    expect(said).toEqual([expect.stringContaining("no space left on the disk (ENOSPC). Changes are refused until it can be written")]);
    await journal.synced();
    expect(await held()).toEqual({ a: "1" });
    weak.room = 1000;
    put(journal, { b: "3" });
    expect(said).toEqual([expect.anything(), `${file()} can be written again`]);
    await journal.close();
    expect(await held()).toEqual({ a: "1", b: "3" });
  });

  it("writes noted changes later, unless a later change overrides them", async () => {
    const { weak, disk } = weakDisk();
    const { journal } = await opened({ disk });
    put(journal, { a: "1", b: "1", c: "1" });
    weak.room = 3;
    journal.note(new Map([["a", undefined]]));
    journal.note(
      new Map([
        ["b", undefined],
        ["d", Buffer.from("noted")],
      ]),
    );
    expect(await held()).toEqual({ a: "1", b: "1", c: "1" });
    weak.room = 1000;
    put(journal, { b: "2" });
    expect(await held()).toEqual({ b: "2", c: "1", d: "noted" });
    await journal.close();
  });

  it("stays as it is when there is no space to rewrite it, and logs it", async () => {
    const { weak, disk } = weakDisk();
    const { journal } = await opened({ disk, rewriteBytesMin: 200 });
    weak.room = 260;
    for (let n = 0; n < 5; n += 1) put(journal, { a: String(n).repeat(30) });
    await journal.close();
    expect(said).toEqual([expect.stringContaining("could not be compacted: no space")]);
    expect(readdirSync(join(root, "data"))).toEqual(["journal"]);
    expect(await held()).toEqual({ a: "4".repeat(30) });
  });
});

describe("a journal whose sync fails", () => {
  it("acknowledges and accepts nothing until it is rewritten", async () => {
    const { weak, disk } = weakDisk();
    const { journal } = await opened({ disk });
    put(journal, { a: "1" });
    await journal.synced();
    weak.broken = true;
    put(journal, { b: "1" });
    await expect(journal.synced()).rejects.toThrow("disk error (EIO)");
    expect(() => put(journal, { c: "1" })).toThrow(JournalFault);
    await expect(journal.synced()).rejects.toThrow(JournalFault);
    weak.broken = false;
    await journal.synced();
    put(journal, { d: "1" });
    await journal.synced();
    expect(said).toEqual([expect.stringContaining("(EIO)"), expect.stringContaining("can be written again")]);
    await journal.close();
    expect(await held()).toEqual({ a: "1", b: "1", d: "1" });
  });
});
