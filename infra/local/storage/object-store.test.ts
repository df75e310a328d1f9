import { createHash } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { CRC32C } from "@google-cloud/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ObjectStore } from "./object-store.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const TEXT = { contentType: "text/plain" };
const HOSTILE = [
  "../../etc/passwd",
  "/etc/passwd",
  "a/../../b",
  "results/u1/../u2/x",
  "//",
  "a//b",
  "a/",
  "a",
  "%2e%2e%2f",
  "..%2fx",
  "C:\\x\\..\\y",
  "nul\u0000byte",
  "1768478400000000.json",
  "bucket.json",
  "é/日本/\u{1f600}",
  "e\u0301",
  "\u00e9",
  "x".repeat(1024),
  "A",
  "con",
  "__proto__",
  "constructor",
];

let root: string;
let directory: string;
let store: ObjectStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "populus-store-"));
  directory = join(root, "inner", "store");
  store = await ObjectStore.open(directory, () => NOW);
  await store.createBucket("exports");
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function put(name: string, text: string, target = store) {
  const draft = await target.create("exports", name, TEXT);
  await writeFile(draft.path, text);
  return draft.commit();
}

async function contentOf(name: string, source = store): Promise<string> {
  return readFile(source.read("exports", name).path, "utf8");
}

function listed(source = store): string[] {
  return source.list("exports").items.map(({ name }) => name);
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(join(directory, "exports", folder))).sort();
}

describe("an object written by its caller", () => {
  it("has the size, CRC32C and MD5 of its bytes and the clock's times", async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024 + 5, "population");
    const draft = await store.create("exports", "big", { ...TEXT, metadata: { job: "7" } });
    await writeFile(draft.path, bytes);
    const crc32c = new CRC32C();
    crc32c.update(bytes);
    expect(await draft.commit()).toEqual({
      bucket: "exports",
      name: "big",
      contentType: "text/plain",
      metadata: { job: "7" },
      generation: NOW * 1000,
      metageneration: 1,
      size: bytes.length,
      crc32c: crc32c.toString(),
      md5Hash: createHash("md5").update(bytes).digest("base64"),
      timeCreated: "2026-01-15T12:00:00.000Z",
      updated: "2026-01-15T12:00:00.000Z",
    });
    expect(store.stat("exports", "big")).toEqual(store.read("exports", "big").metadata);
  });

  it("does not exist before the commit or after an abort, and an abort leaves no file", async () => {
    const draft = await store.create("exports", "a", TEXT);
    await writeFile(draft.path, "half");
    expect(store.stat("exports", "a")).toBeUndefined();
    expect(listed()).toEqual([]);
    await draft.abort();
    await draft.abort();
    expect(await filesIn("drafts")).toEqual([]);
    await expect(draft.commit()).rejects.toThrow("ENOENT");
  });

  it("still has a CRC32C without an MD5", async () => {
    const draft = await store.create("exports", "a", { ...TEXT, md5: false });
    await writeFile(draft.path, "123456789");
    expect(await draft.commit()).not.toHaveProperty("md5Hash");
    expect(store.stat("exports", "a")?.crc32c).toBe("4waSgw==");
  });
});

describe("an object received as a stream", () => {
  it("continues after a broken stream and has the hashes of the whole", async () => {
    const draft = await store.create("exports", "a", TEXT);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("1234");
        throw new Error("connection lost");
      })(),
    );
    await expect(draft.receive(broken)).rejects.toThrow("connection lost");
    expect(draft.receivedBytes).toBe(4);
    await draft.receive(Readable.from([Buffer.from("56789")]));
    expect((await draft.commit({ crc32c: "4waSgw==" })).size).toBe(9);
    expect(await contentOf("a")).toBe("123456789");
  });

  it("is rejected and removed if its hashes differ from the expected ones", async () => {
    for (const expected of [{ crc32c: "AAAAAA==" }, { md5Hash: "AAAA" }]) {
      const draft = await store.create("exports", "a", TEXT);
      await draft.receive(Readable.from([Buffer.from("123456789")]));
      await expect(draft.commit(expected)).rejects.toMatchObject({ status: 400, reason: "invalid" });
    }
    expect(store.stat("exports", "a")).toBeUndefined();
    expect(await filesIn("drafts")).toEqual([]);
  });
});

describe("names", () => {
  it("are never paths: hostile names coexist inside the directory and survive a restart", async () => {
    for (const name of HOSTILE) await put(name, `content of ${name}`);
    const reopened = await ObjectStore.open(directory, () => NOW);
    const expected = [...HOSTILE].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const each of [store, reopened]) {
      expect(listed(each)).toEqual(expected);
      for (const name of HOSTILE) expect(await contentOf(name, each)).toBe(`content of ${name}`);
    }
    expect(await readdir(root)).toEqual(["inner"]);
    expect(await readdir(join(root, "inner"))).toEqual(["store"]);
    expect(await readdir(directory)).toEqual(["exports"]);
  });

  it("of objects and buckets that Cloud Storage rejects are rejected", async () => {
    await expect(store.create("exports", "..", TEXT)).rejects.toMatchObject({ status: 400 });
    await expect(store.createBucket("../outside")).rejects.toMatchObject({ status: 400 });
    await expect(store.create("../exports", "a", TEXT)).rejects.toMatchObject({ status: 404 });
  });
});

describe("versions", () => {
  it("get strictly rising generations with a stopped clock, also after a restart", async () => {
    const first = await put("a", "1");
    const second = await put("a", "2");
    const third = await put("b", "3");
    const reopened = await ObjectStore.open(directory, () => NOW - 1000);
    const fourth = await put("a", "4", reopened);
    const generations = [first, second, third, fourth].map(({ generation }) => generation);
    expect(generations).toEqual([...new Set(generations)].sort((a, b) => a - b));
    expect(await contentOf("a", reopened)).toBe("4");
  });

  it("replace each other without leaving files, and a reader keeps its open content", async () => {
    await put("a", "old");
    await using reader = await open(store.read("exports", "a").path);
    await put("a", "new");
    expect(await reader.readFile("utf8")).toBe("old");
    expect(await contentOf("a")).toBe("new");
    expect(await filesIn("objects")).toHaveLength(2);
    await store.delete("exports", "a");
    expect(await filesIn("objects")).toEqual([]);
    await expect(store.delete("exports", "a")).rejects.toMatchObject({ status: 404, message: "No such object: exports/a" });
  });

  it("of one name are serialised: of many writers that require generation 0, one wins", async () => {
    const drafts = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const draft = await store.create("exports", "a", { ...TEXT, preconditions: { ifGenerationMatch: 0 } });
        await writeFile(draft.path, String(at));
        return draft;
      }),
    );
    const results = await Promise.allSettled(drafts.map((draft) => draft.commit()));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ status: 412, reason: "conditionNotMet" });
    }
    expect(await filesIn("drafts")).toEqual([]);
  });

  it("are guarded by preconditions on generation and metageneration", async () => {
    const { generation } = await put("a", "1");
    const refused = { status: 412, reason: "conditionNotMet" };
    await expect(store.create("exports", "a", { ...TEXT, preconditions: { ifGenerationMatch: 0 } })).rejects.toMatchObject(refused);
    await expect(store.create("exports", "b", { ...TEXT, preconditions: { ifGenerationNotMatch: 0 } })).rejects.toMatchObject(refused);
    await expect(store.delete("exports", "a", { ifGenerationMatch: generation + 1 })).rejects.toMatchObject(refused);
    await expect(store.delete("exports", "a", { ifMetagenerationMatch: 2 })).rejects.toMatchObject(refused);
    await expect(store.delete("exports", "a", { ifMetagenerationNotMatch: 1 })).rejects.toMatchObject(refused);
    await store.delete("exports", "a", { ifGenerationMatch: generation, ifMetagenerationMatch: 1 });
    expect(store.stat("exports", "a")).toBeUndefined();
  });

  it("keep their content and generation when their metadata changes", async () => {
    const before = await put("a", "1");
    const after = await store.update("exports", "a", () => ({ contentType: "text/csv", cacheControl: "no-store" }));
    expect(after).toEqual({ ...before, contentType: "text/csv", cacheControl: "no-store", metageneration: 2 });
    expect((await ObjectStore.open(directory)).stat("exports", "a")).toEqual(after);
  });
});

describe("a restart", () => {
  it("restores buckets and objects and removes the leftovers of a killed process", async () => {
    await store.createBucket("imports");
    const kept = await put("a", "kept");
    const draft = await store.create("exports", "b", TEXT);
    await writeFile(draft.path, "never committed");
    const objects = join(directory, "exports", "objects");
    await writeFile(join(objects, "5"), "content whose sidecar was never written");
    await writeFile(join(objects, "6.json.tmp"), "{");
    await writeFile(join(objects, "7"), "older");
    await writeFile(join(objects, "7.json"), JSON.stringify({ ...kept, generation: 7 }));

    const reopened = await ObjectStore.open(directory);
    expect(reopened.bucketNames()).toEqual(["exports", "imports"]);
    expect(reopened.stat("exports", "a")).toEqual(kept);
    expect(await contentOf("a", reopened)).toBe("kept");
    expect(await filesIn("drafts")).toEqual([]);
    expect(await filesIn("objects")).toEqual([String(kept.generation), `${kept.generation}.json`]);
  });

  it("can create an existing bucket again without harm to its objects", async () => {
    await put("a", "kept");
    const reopened = await ObjectStore.open(directory);
    await reopened.createBucket("exports");
    expect(await contentOf("a", reopened)).toBe("kept");
  });
});

describe("a bucket that does not exist", () => {
  it("is a 404 for every operation", async () => {
    const missing = { status: 404, message: "The specified bucket does not exist." };
    expect(store.hasBucket("nothing")).toBe(false);
    await expect(store.create("nothing", "a", TEXT)).rejects.toMatchObject(missing);
    await expect(store.delete("nothing", "a")).rejects.toMatchObject(missing);
    for (const ask of [() => store.stat("nothing", "a"), () => store.read("nothing", "a"), () => store.list("nothing")]) {
      expect(ask).toThrow(expect.objectContaining(missing));
    }
  });
});
