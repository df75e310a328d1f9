import { mkdtemp, readdir, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUCKET, clientFor, mintToken } from "../../testing/engines/storage-under-test.ts";
import { Identity, SCOPES } from "../identity.ts";
import { startStorage } from "./server.ts";

let directory: string;
const identity = new Identity();
const token = mintToken(identity, "functions", [SCOPES.cloudPlatform]);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "populus-storage-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

describe("the local Cloud Storage", () => {
  it("keeps its objects between runs, and can reuse the same port", async () => {
    const first = await startStorage({ directory, buckets: [BUCKET], identity });
    await clientFor(`http://${first.address}`, token).bucket(BUCKET).file("a/b").save("kept", { resumable: false });
    await first.close();
    const second = await startStorage({ directory, buckets: [BUCKET], identity, port: Number(first.address.split(":")[1]) });
    expect(second.address).toBe(first.address);
    expect((await clientFor(`http://${second.address}`, token).bucket(BUCKET).file("a/b").download())[0].toString()).toBe("kept");
    await second.close();
  });

  it("serves objects written through its store, and the store sees uploads", async () => {
    const storage = await startStorage({ directory, buckets: [BUCKET], identity });
    const bucket = clientFor(`http://${storage.address}`, token).bucket(BUCKET);
    const draft = await storage.store.create(BUCKET, "exported", { contentType: "text/csv", md5: false });
    await draft.receive(
      (async function* () {
        yield Buffer.from("a,b");
      })(),
    );
    const { crc32c } = await draft.commit();
    expect((await bucket.file("exported").download())[0].toString()).toBe("a,b");
    expect((await bucket.file("exported").getMetadata())[0]).toMatchObject({ crc32c, contentType: "text/csv" });
    await bucket.file("uploaded").save("x", { resumable: false });
    expect(storage.store.stat(BUCKET, "uploaded")).toMatchObject({ size: 1 });
    await storage.close();
  });

  it("rejects a taken port and an invalid bucket name", async () => {
    const storage = await startStorage({ directory, buckets: [BUCKET], identity });
    const port = Number(storage.address.split(":")[1]);
    await expect(startStorage({ directory: join(directory, "other"), buckets: [BUCKET], identity, port })).rejects.toThrow("EADDRINUSE");
    await storage.close();
    await expect(startStorage({ directory, buckets: ["../outside"], identity })).rejects.toMatchObject({ status: 400 });
  });

  it("ends running uploads when it closes, and leaves no draft", async () => {
    const storage = await startStorage({ directory, buckets: [BUCKET], identity });
    const origin = `http://${storage.address}`;
    const path = `/upload/storage/v1/b/${BUCKET}/o`;
    const headers = { authorization: `Bearer ${token}` };
    const session = await fetch(`${origin}${path}?uploadType=resumable&name=x`, { method: "POST", headers });
    const range = { "content-range": "bytes 0-262143/*" };
    await fetch(session.headers.get("location") ?? "", { method: "PUT", headers: range, body: Buffer.alloc(262_144) });
    const upload = http.request(`${origin}${path}?uploadType=media&name=y`, { method: "POST", headers });
    const failed = new Promise((resolve) => upload.once("error", resolve));
    upload.write("begun");
    const drafts = () => readdir(join(directory, BUCKET, "drafts"));
    await expect.poll(drafts).toHaveLength(2);
    await storage.close();
    expect(await drafts()).toEqual([]);
    expect(await failed).toBeInstanceOf(Error);
    await expect(fetch(origin)).rejects.toThrow();
  });
});
