import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { CRC32C } from "@google-cloud/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET, type StorageUnderTest, startStorageUnderTest } from "../../testing/engines/storage-under-test.ts";

const UPLOAD = `/upload/storage/v1/b/${BUCKET}/o`;
const KIB = 1024;

let storage: StorageUnderTest;

beforeAll(async () => {
  storage = await startStorageUnderTest();
});

afterAll(() => storage.close());

function send(target: string, body: Buffer | string, headers: Record<string, string> = {}, method = "POST"): Promise<Response> {
  const authorization = `Bearer ${storage.tokens.service}`;
  return fetch(`${storage.origin}${target}`, { method, body, headers: { authorization, ...headers } });
}

async function contentOf(name: string): Promise<Buffer> {
  return (await storage.client.bucket(BUCKET).file(name).download())[0];
}

function drafts(): Promise<string[]> {
  return readdir(join(storage.directory, BUCKET, "drafts"));
}

function hashesOf(content: Buffer) {
  const crc32c = new CRC32C();
  crc32c.update(content);
  return { crc32c: crc32c.toString(), md5Hash: createHash("md5").update(content).digest("base64") };
}

function multipart(resource: unknown, content: string): [string, Record<string, string>] {
  const body = `--x\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(resource)}\r\n--x\r\nContent-Type: text/csv\r\n\r\n${content}\r\n--x--`;
  return [body, { "content-type": "multipart/related; boundary=x" }];
}

describe("an upload in one request", () => {
  it("stores media unchanged, with their type", async () => {
    const content = randomBytes(700_000);
    const response = await send(`${UPLOAD}?uploadType=media&name=m%2Fa%20b`, content, { "content-type": "application/parquet" });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      name: "m/a b",
      contentType: "application/parquet",
      size: "700000",
      ...hashesOf(content),
    });
    expect((await contentOf("m/a b")).equals(content)).toBe(true);
  });

  it("takes name, settings and pairs from the resource of a multipart body; the query's name has precedence", async () => {
    const resource = { name: "from-resource", cacheControl: "no-store", metadata: { job: "7" } };
    const first = await send(`${UPLOAD}?uploadType=multipart`, ...multipart(resource, "a,b"));
    expect(await first.json()).toMatchObject({ ...resource, contentType: "text/csv", size: "3" });
    const second = await send(
      `${UPLOAD}?uploadType=multipart&name=from-query`,
      ...multipart({ ...resource, contentType: "text/plain" }, "c"),
    );
    expect(await second.json()).toMatchObject({ name: "from-query", contentType: "text/plain" });
  });

  it("is rejected if its bytes do not match the declared hashes", async () => {
    const wrong = "AAAAAA==";
    const answers = [
      await send(`${UPLOAD}?uploadType=multipart&name=bad`, ...multipart({ crc32c: wrong }, "x")),
      await send(`${UPLOAD}?uploadType=multipart&name=bad`, ...multipart({ md5Hash: wrong }, "x")),
      await send(`${UPLOAD}?uploadType=media&name=bad`, "x", { "x-goog-hash": `crc32c=${wrong}` }),
      await send(`${UPLOAD}?uploadType=media&name=bad`, "x", { "content-md5": wrong }),
    ];
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({
        error: { code: 400, message: expect.stringMatching(/^Provided .* doesn't match calculated/) },
      });
    }
    expect((await storage.client.bucket(BUCKET).file("bad").exists())[0]).toBe(false);
    expect(await drafts()).toEqual([]);
  });

  it.each([
    [`${UPLOAD}?uploadType=media`, 400, "required"],
    [`${UPLOAD}?uploadType=media&name=..`, 400, "invalid"],
    [`${UPLOAD}?uploadType=other&name=x`, 400, "invalid"],
    [`${UPLOAD}?name=x`, 400, "invalid"],
    [`${UPLOAD}?uploadType=media&name=x&predefinedAcl=publicRead`, 400, "invalid"],
    [`${UPLOAD}?uploadType=media&name=x&ifGenerationMatch=5`, 412, "conditionNotMet"],
    [`${UPLOAD}?uploadType=media&name=x&kmsKeyName=k`, 400, "notImplemented"],
    ["/upload/storage/v1/b/nothing-here/o?uploadType=media&name=x", 404, "notFound"],
    [`${UPLOAD}?uploadType=multipart&name=x`, 400, "invalid"],
  ])("is rejected at %s with %i", async (target, code, reason) => {
    const answer = await send(target, "x");
    expect(await answer.json()).toMatchObject({ error: { code, errors: [{ domain: "global", reason }] } });
  });

  it.each([{ acl: [] }, { contentType: "a\r\nX-Injected: b" }, { metadata: { "a b": "c" } }, { metadata: { a: 1 } }, [[]], { name: 5 }])(
    "rejects the resource %j",
    async (resource) => {
      const answer = await send(`${UPLOAD}?uploadType=multipart&name=x`, ...multipart(resource, "x"));
      expect(answer.status).toBe(400);
    },
  );

  it("leaves nothing if the client aborts, and does not harm the server", async () => {
    const { hostname, port } = new URL(storage.origin);
    const path = `${UPLOAD}?uploadType=media&name=broken`;
    const headers = { authorization: `Bearer ${storage.tokens.service}`, "content-length": 1_000_000 };
    const request = http.request({ hostname, port, path, method: "POST", headers });
    request.on("error", () => undefined);
    request.write(Buffer.alloc(100_000));
    await expect.poll(drafts).toHaveLength(1);
    request.destroy();
    await expect.poll(drafts).toEqual([]);
    expect((await storage.client.bucket(BUCKET).file("broken").exists())[0]).toBe(false);
  });

  it("is rejected before its body is read if it is not allowed", async () => {
    const { hostname, port } = new URL(storage.origin);
    const path = `${UPLOAD}?uploadType=media&name=results/x`;
    const headers = { authorization: `Bearer ${storage.tokens.reader}`, "content-length": 1_000_000_000 };
    const request = http.request({ hostname, port, path, method: "POST", headers });
    request.flushHeaders();
    const status = await once(request, "response").then(([response]: http.IncomingMessage[]) => response?.statusCode);
    request.on("error", () => undefined).destroy();
    expect(status).toBe(403);
  });
});

describe("a resumable upload", () => {
  async function start(name: string, headers: Record<string, string> = {}, resource: unknown = {}): Promise<string> {
    const response = await send(`${UPLOAD}?uploadType=resumable&name=${name}`, JSON.stringify(resource), headers);
    expect(response.status).toBe(200);
    const location = response.headers.get("location") ?? "";
    expect(location.startsWith(`${storage.origin}/upload/`)).toBe(true);
    return location;
  }

  /** The session's address is its own credential, as with Google: no token here. */
  function put(location: string, body: Buffer, range: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(location, { method: "PUT", body, headers: { "content-range": range, ...headers } });
  }

  async function reach(location: string): Promise<string | null> {
    const response = await put(location, Buffer.alloc(0), "bytes */*");
    expect(response.status).toBe(308);
    return response.headers.get("range");
  }

  it("reports its progress, accepts chunks, and becomes an object only at its end", async () => {
    const content = randomBytes(512 * KIB + 10);
    const location = await start("chunks", { "x-upload-content-type": "text/csv" }, { metadata: { job: "7" } });
    expect(await reach(location)).toBeNull();
    const first = await put(location, content.subarray(0, 256 * KIB), `bytes 0-${256 * KIB - 1}/*`);
    expect([first.status, first.headers.get("range")]).toEqual([308, "bytes=0-262143"]);
    expect(await reach(location)).toBe("bytes=0-262143");
    expect((await storage.client.bucket(BUCKET).file("chunks").exists())[0]).toBe(false);
    await put(location, content.subarray(256 * KIB, 512 * KIB), `bytes ${256 * KIB}-${512 * KIB - 1}/${content.length}`);
    const last = await put(location, content.subarray(512 * KIB), `bytes ${512 * KIB}-${content.length - 1}/${content.length}`);
    expect(last.status).toBe(200);
    expect(await last.json()).toMatchObject({ name: "chunks", contentType: "text/csv", metadata: { job: "7" }, ...hashesOf(content) });
    expect((await contentOf("chunks")).equals(content)).toBe(true);
    const again = await put(location, Buffer.alloc(0), "bytes */*");
    expect([again.status, await again.json()]).toEqual([200, expect.objectContaining({ name: "chunks", size: String(content.length) })]);
  });

  it("skips bytes that it already has, and rejects a gap, short chunks and too many bytes", async () => {
    const content = randomBytes(600 * KIB);
    const location = await start("overlap");
    await put(location, content.subarray(0, 300 * KIB), `bytes 0-${300 * KIB - 1}/*`);
    const gap = await put(location, content.subarray(400 * KIB), `bytes ${400 * KIB}-${600 * KIB - 1}/${600 * KIB}`);
    expect(await gap.json()).toMatchObject({
      error: { code: 503, message: expect.stringContaining("exceeds already uploaded size of 307200 byte(s)") },
    });
    const short = await put(location, content.subarray(300 * KIB, 301 * KIB), `bytes ${300 * KIB}-${301 * KIB - 1}/*`);
    expect(short.status).toBe(400);
    for (const range of ["bytes 5-4/*", "bytes 0-9/5", "bytes x", "bytes 0-1", "items 0-1/2"]) {
      expect((await put(location, Buffer.from("xx"), range)).status).toBe(400);
    }
    expect(await reach(location)).toBe(`bytes=0-${300 * KIB - 1}`);
    const rest = await put(location, content.subarray(200 * KIB), `bytes ${200 * KIB}-*/${600 * KIB}`);
    expect(rest.status).toBe(200);
    expect((await contentOf("overlap")).equals(content)).toBe(true);
  });

  it("continues after a broken connection", async () => {
    const content = randomBytes(600 * KIB);
    const location = await start("broken");
    const { hostname, port, pathname, search } = new URL(location);
    const headers = { "content-range": `bytes 0-*/${content.length}`, "content-length": content.length };
    const request = http.request({ hostname, port, path: `${pathname}${search}`, method: "PUT", headers });
    request.on("error", () => undefined);
    request.write(content.subarray(0, 300 * KIB));
    await expect.poll(() => reach(location)).toBe(`bytes=0-${300 * KIB - 1}`);
    request.destroy();
    const rest = await put(location, content.subarray(300 * KIB), `bytes ${300 * KIB}-*/${content.length}`);
    expect(rest.status).toBe(200);
    expect((await contentOf("broken")).equals(content)).toBe(true);
  });

  it("accepts the whole content without a range, empty content, and a stream of unknown length", async () => {
    const whole = await fetch(await start("whole"), { method: "PUT", body: "abc" });
    expect(await whole.json()).toMatchObject({ size: "3" });
    const empty = await put(await start("empty"), Buffer.alloc(0), "bytes */0");
    expect(await empty.json()).toMatchObject({ size: "0", crc32c: "AAAAAA==" });
    const body = Readable.toWeb(Readable.from([Buffer.from("ab"), Buffer.from("cd")]));
    const headers = { "content-range": "bytes 0-*/*" };
    const streamed = await fetch(await start("streamed"), { method: "PUT", body, headers, duplex: "half" });
    expect(await streamed.json()).toMatchObject({ size: "4" });
  });

  it("checks hashes, preconditions and the announced size at its end", async () => {
    const bad = await start("bad");
    expect((await put(bad, Buffer.from("x"), "bytes 0-0/1", { "x-goog-hash": "crc32c=AAAAAA==" })).status).toBe(400);
    for (const range of ["bytes 0-0/1", "bytes */*"]) expect((await put(bad, Buffer.from("x"), range)).status).toBe(404);
    expect((await storage.client.bucket(BUCKET).file("bad").exists())[0]).toBe(false);
    const guarded = await start("guarded&ifGenerationMatch=0");
    await storage.client.bucket(BUCKET).file("guarded").save("first", { resumable: false });
    expect((await put(guarded, Buffer.from("x"), "bytes 0-0/1")).status).toBe(412);
    expect((await send(`${UPLOAD}?uploadType=resumable&name=guarded&ifGenerationMatch=0`, "")).status).toBe(412);
    const announced = await start("announced", { "x-upload-content-length": "3" });
    expect((await put(announced, Buffer.from("ab"), "bytes 0-*/*")).status).toBe(308);
    expect((await put(announced, Buffer.from("c"), "bytes 2-2/3")).status).toBe(200);
  });

  it("ends when cancelled and after a week, and is unknown by any other id", async () => {
    const own = await startStorageUnderTest();
    const headers = { authorization: `Bearer ${own.tokens.service}` };
    const open = async () =>
      (await fetch(`${own.origin}${UPLOAD}?uploadType=resumable&name=x`, { method: "POST", headers })).headers.get("location") ?? "";
    const cancelled = await open();
    expect((await fetch(cancelled, { method: "DELETE" })).status).toBe(499);
    expect((await fetch(cancelled, { method: "PUT", body: "x" })).status).toBe(404);
    const late = await open();
    own.advance(8 * 24 * 3600 * 1000);
    expect((await fetch(late, { method: "PUT", body: "x" })).status).toBe(404);
    expect((await fetch(`${late}x`, { method: "PUT", body: "x" })).status).toBe(404);
    await own.close();
  });
});
