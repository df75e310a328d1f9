import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { ApiError, type Bucket } from "@google-cloud/storage";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  BUCKET,
  clientFor,
  mintToken,
  OTHER_BUCKET,
  type StorageUnderTest,
  startStorageUnderTest,
  UID,
} from "../../testing/engines/storage-under-test.ts";
import { SCOPES } from "../identity.ts";

let storage: StorageUnderTest;
let bucket: Bucket;

beforeAll(async () => {
  storage = await startStorageUnderTest();
  bucket = storage.client.bucket(BUCKET);
});

afterAll(() => storage.close());

describe("the real client with the service's token", () => {
  it.each(["plain.csv", "results/u1/é ü+%2F..#?&.csv", "a//b/../c", "\u{1f600}"])(
    "saves and downloads %j, checking hashes both ways",
    async (name) => {
      const content = randomBytes(300_000);
      const file = bucket.file(name);
      await file.save(content, { resumable: false, validation: "md5", contentType: "text/csv", metadata: { metadata: { job: "7" } } });
      const [downloaded] = await file.download({ validation: "md5" });
      expect(downloaded.equals(content)).toBe(true);
      const [metadata] = await bucket.file(name).getMetadata();
      expect(metadata).toMatchObject({
        name,
        bucket: BUCKET,
        contentType: "text/csv",
        size: "300000",
        metadata: { job: "7" },
        kind: "storage#object",
      });
      expect((await bucket.file(name).exists())[0]).toBe(true);
    },
  );

  it("reads a part and streams to a file", async () => {
    const file = bucket.file("ranges");
    await file.save("0123456789", { resumable: false });
    expect(await text(file.createReadStream({ start: 2, end: 4 }))).toBe("234");
    expect(await text(file.createReadStream({ end: -3 }))).toBe("789");
    const destination = join(storage.directory, "downloaded");
    await file.download({ destination });
    expect(await readFile(destination, "utf8")).toBe("0123456789");
  });

  it("stores empty content", async () => {
    await bucket.file("empty").save("", { resumable: false });
    expect((await bucket.file("empty").download())[0]).toHaveLength(0);
  });

  it("compresses with gzip and downloads it decompressed, or compressed on request", async () => {
    const file = bucket.file("packed.csv");
    await file.save("a,b\n".repeat(1000), { resumable: false, gzip: true });
    expect((await file.download())[0].toString()).toBe("a,b\n".repeat(1000));
    const [packed] = await file.download({ decompress: false });
    expect(packed.subarray(0, 2).toString("hex")).toBe("1f8b");
  });

  it("downloads a stored .csv.gz byte for byte", async () => {
    const content = gzipSync("a,b\n".repeat(1000));
    await bucket.file("x.csv.gz").save(content, { resumable: false, contentType: "application/gzip" });
    expect((await bucket.file("x.csv.gz").download())[0].equals(content)).toBe(true);
  });

  it("lists by pages, prefix and delimiter", async () => {
    const names = ["list/u1/a", "list/u1/b/c", "list/u1/b/d", "list/u10/e"];
    for (const name of names) await bucket.file(name).save(name, { resumable: false });
    const [all] = await bucket.getFiles({ prefix: "list/", maxResults: 3 });
    expect(all.map(({ name }) => name)).toEqual(names.slice(0, 3));
    const [every] = await bucket.getFiles({ prefix: "list/", autoPaginate: true });
    expect(every.map(({ name }) => name)).toEqual(names);
    const [files, , answer] = await bucket.getFiles({ prefix: "list/u1/", delimiter: "/", autoPaginate: false });
    expect(files.map(({ name }) => name)).toEqual(["list/u1/a"]);
    expect(answer).toMatchObject({ kind: "storage#objects", prefixes: ["list/u1/b/"] });
    const [none] = await bucket.getFiles({ prefix: "nothing/" });
    expect(none).toEqual([]);
  });

  it("creates only once with ifGenerationMatch 0", async () => {
    const once = { resumable: false, preconditionOpts: { ifGenerationMatch: 0 } };
    await bucket.file("once").save("first", once);
    await expect(bucket.file("once").save("second", once)).rejects.toMatchObject({ code: 412 });
    expect((await bucket.file("once").download())[0].toString()).toBe("first");
  });

  it("deletes, and gets 404 afterwards", async () => {
    const file = bucket.file("to delete");
    await file.save("x", { resumable: false });
    await file.delete();
    await expect(file.delete()).rejects.toMatchObject({ code: 404, message: `No such object: ${BUCKET}/to delete` });
    await expect(file.download()).rejects.toMatchObject({ code: 404, message: `No such object: ${BUCKET}/to delete` });
    await file.delete({ ignoreNotFound: true });
    expect((await file.exists())[0]).toBe(false);
  });

  it("changes metadata and copies with it", async () => {
    const file = bucket.file("settings");
    await file.save("x", { resumable: false, contentType: "text/csv", metadata: { metadata: { a: "1", b: "2" } } });
    const [changed] = await file.setMetadata({ cacheControl: "no-store", metadata: { a: null, c: "3" } });
    expect(changed).toMatchObject({ cacheControl: "no-store", contentType: "text/csv", metageneration: "2", metadata: { b: "2", c: "3" } });
    const target = storage.client.bucket(OTHER_BUCKET).file("copied/ü");
    await file.copy(target);
    expect((await target.download())[0].toString()).toBe("x");
    expect((await target.getMetadata())[0]).toMatchObject({
      contentType: "text/csv",
      cacheControl: "no-store",
      metadata: { b: "2", c: "3" },
    });
  });

  it("sees buckets", async () => {
    expect((await bucket.getMetadata())[0]).toMatchObject({ kind: "storage#bucket", name: BUCKET, location: "EUROPE-NORTH1" });
    expect((await storage.client.bucket("nothing-here").exists())[0]).toBe(false);
    expect((await storage.client.getBuckets())[0].map(({ name }) => name)).toEqual([BUCKET, OTHER_BUCKET]);
    const error: unknown = await storage.client
      .bucket("nothing-here")
      .getFiles()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 404,
      message: "The specified bucket does not exist.",
      errors: [{ reason: "notFound", domain: "global" }],
    });
  });
});

describe("resumable uploads of the real client", () => {
  it("work through a session created with a token: in one request, and in chunks of unknown length", async () => {
    const content = randomBytes(1_000_000);
    for (const chunkSize of [undefined, 256 * 1024]) {
      const file = bucket.file(`resumable-${chunkSize}`);
      const [uri] = await file.createResumableUpload({ metadata: { contentType: "text/csv" } });
      await file.save(content, { uri, resumable: true, ...(chunkSize === undefined ? {} : { chunkSize }) });
      expect((await file.download())[0].equals(content)).toBe(true);
      expect((await file.getMetadata())[0].contentType).toBe("text/csv");
    }
  });

  it("without such a session send no token to addresses that are not Google's, and are rejected", async () => {
    const saving = bucket.file("tokenless").save("x", { resumable: true });
    await expect(saving).rejects.toMatchObject({ status: 401 });
    expect((await bucket.file("tokenless").exists())[0]).toBe(false);
  });
});

describe("the real client with STORAGE_EMULATOR_HOST, whose paths lack /storage/v1", () => {
  it("saves, lists and downloads", async () => {
    vi.stubEnv("STORAGE_EMULATOR_HOST", storage.origin);
    const emulated = clientFor(storage.origin, storage.tokens.service).bucket(BUCKET);
    vi.unstubAllEnvs();
    await emulated.file("emulated/x").save("x", { resumable: false });
    expect((await emulated.getFiles({ prefix: "emulated/" }))[0].map(({ name }) => name)).toEqual(["emulated/x"]);
    expect((await emulated.file("emulated/x").download())[0].toString()).toBe("x");
  });
});

describe("the real client with a customer's token", () => {
  it("lists and downloads its own folder, and is denied elsewhere", async () => {
    await bucket.file(`results/${UID}/job/part-1`).save("mine", { resumable: false });
    const mine = clientFor(storage.origin, mintToken(storage.identity, `storage-${UID}`, [SCOPES.storageRead])).bucket(BUCKET);
    const [files] = await mine.getFiles({ prefix: `results/${UID}/` });
    expect(files.map(({ name }) => name)).toEqual([`results/${UID}/job/part-1`]);
    expect((await mine.file(`results/${UID}/job/part-1`).download())[0].toString()).toBe("mine");
    const denied = `storage-${UID}@demo-local.iam.gserviceaccount.com does not have storage.objects.list access to the Google Cloud Storage bucket. Permission 'storage.objects.list' denied on resource (or it may not exist).`;
    await expect(mine.getFiles()).rejects.toMatchObject({ code: 403, message: denied, errors: [{ reason: "forbidden" }] });
    await expect(mine.file(`results/${UID}/x`).save("x", { resumable: false })).rejects.toMatchObject({ code: 403 });
    await expect(mine.file("results/other/x").download()).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining("storage.objects.get"),
    });
  });
});
