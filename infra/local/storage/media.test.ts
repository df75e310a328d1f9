import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET, type StorageUnderTest, startStorageUnderTest } from "../../testing/engines/storage-under-test.ts";

const CONTENT = "0123456789";
const MD5 = createHash("md5").update(CONTENT);

let storage: StorageUnderTest;

beforeAll(async () => {
  storage = await startStorageUnderTest();
  await storage.client
    .bucket(BUCKET)
    .file("a b/ü.csv")
    .save(CONTENT, { resumable: false, contentType: "text/csv", metadata: { metadata: { job: "7" } } });
});

afterAll(() => storage.close());

function get(target: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return fetch(`${storage.origin}${target}`, { method, headers: { authorization: `Bearer ${storage.tokens.service}`, ...headers } });
}

const XML = `/${BUCKET}/a%20b/%C3%BC.csv`;
const METADATA = `/storage/v1/b/${BUCKET}/o/a%20b%2F%C3%BC.csv`;
const JSON_MEDIA = `/download${METADATA}`;

async function resource() {
  const schema = v.object({ etag: v.string(), generation: v.string(), mediaLink: v.string(), selfLink: v.string() });
  return v.parse(schema, await (await get(METADATA)).json());
}

describe.each([XML, JSON_MEDIA, `${METADATA}?alt=media`])("content at %s", (target) => {
  it("has its type, length, hashes and generation", async () => {
    const response = await get(target);
    expect(await response.text()).toBe(CONTENT);
    const md5 = MD5.copy().digest("base64");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv",
      "content-length": "10",
      "accept-ranges": "bytes",
      "x-goog-hash": expect.stringMatching(/^crc32c=KAwGng==, ?md5=/),
      "x-goog-generation": expect.stringMatching(/^\d{16}$/),
      "x-goog-metageneration": "1",
      "x-goog-stored-content-length": "10",
      "x-goog-stored-content-encoding": "identity",
      "x-goog-meta-job": "7",
    });
    expect(response.headers.get("x-goog-hash")).toContain(`md5=${md5}`);
    expect(response.headers.has("content-encoding")).toBe(false);
  });

  it.each([
    ["bytes=0-0", "0", "bytes 0-0/10"],
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=7-999", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=-99", CONTENT, "bytes 0-9/10"],
  ])("returns %s", async (range, content, contentRange) => {
    const response = await get(target, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(response.headers.get("content-length")).toBe(String(content.length));
    expect(await response.text()).toBe(content);
  });

  it.each(["bytes=4-2", "bytes=0-1,4-5", "bytes=-", "lines=1-2", "bytes=a-b"])("ignores %s", async (range) => {
    const response = await get(target, { range });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(CONTENT);
  });

  it.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("rejects %s, which contains no byte", async (range) => {
    const response = await get(target, { range });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe("bytes */10");
  });

  it("returns the headers of GET for HEAD, without the content", async () => {
    const [head, whole] = await Promise.all([get(target, {}, "HEAD"), get(target)]);
    const lasting = ({ headers }: Response) => [...headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name));
    expect(head.status).toBe(200);
    expect(lasting(head)).toEqual(lasting(whole));
    expect(await head.text()).toBe("");
  });

  it("returns 304 for the current ETag in If-None-Match, and 412 for another ETag in If-Match", async () => {
    const etag = (await get(target)).headers.get("etag") ?? "";
    expect((await get(target, { "if-none-match": etag })).status).toBe(304);
    expect((await get(target, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await get(target, { "if-match": '"other"' })).status).toBe(412);
    expect((await get(target, { "if-match": etag })).status).toBe(200);
  });
});

describe("the XML API", () => {
  it("has the MD5 in hexadecimal as ETag", async () => {
    expect((await get(XML)).headers.get("etag")).toBe(`"${MD5.copy().digest("hex")}"`);
  });

  it("returns 404 in XML, with names escaped", async () => {
    const missing = await get(`/${BUCKET}/a%3Cb%26%01`);
    expect(missing.status).toBe(404);
    expect(await missing.text()).toBe(
      `<?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Details>No such object: ${BUCKET}/a&lt;b&amp;?</Details></Error>`,
    );
    expect(await (await get("/nothing-here/x")).text()).toContain("<Code>NoSuchBucket</Code>");
    expect(await (await get(XML, { range: "bytes=99-" })).text()).toContain("<Code>InvalidRange</Code>");
  });

  it("honours the conditions of its headers", async () => {
    const generation = (await get(XML)).headers.get("x-goog-generation") ?? "";
    expect((await get(XML, { "x-goog-if-generation-match": generation, "x-goog-if-metageneration-match": "1" })).status).toBe(200);
    expect((await get(XML, { "x-goog-if-generation-match": "1" })).status).toBe(412);
    expect((await get(XML, { "x-goog-if-metageneration-match": "2" })).status).toBe(412);
  });

  it("rejects writes", async () => {
    for (const method of ["PUT", "DELETE", "POST"]) {
      const response = await get(XML, {}, method);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("<Code>NotImplemented</Code>");
    }
  });
});

describe("the JSON API", () => {
  it("has Google's ETag of generation and metageneration, the same on resource and content", async () => {
    const { etag, generation } = await resource();
    expect((await get(JSON_MEDIA)).headers.get("etag")).toBe(etag);
    const message = Buffer.from(etag, "base64");
    expect([message[0], message.at(-2), message.at(-1)]).toEqual([0x08, 0x10, 1]);
    const value = message.subarray(1, -2).reduceRight((sum, byte) => sum * 128 + (byte & 127), 0);
    expect(String(value)).toBe(generation);
  });

  it("returns errors of a download as plain text, as Google does", async () => {
    const missing = await get(`/download/storage/v1/b/${BUCKET}/o/nothing?alt=media`);
    expect([missing.status, missing.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect(await missing.text()).toBe(`No such object: ${BUCKET}/nothing`);
  });

  it("returns links to the address of the request", async () => {
    const { mediaLink, selfLink } = await resource();
    expect(mediaLink.startsWith(`${storage.origin}/download/`)).toBe(true);
    expect(await (await get(mediaLink.slice(storage.origin.length))).text()).toBe(CONTENT);
    expect(await (await get(selfLink.slice(storage.origin.length))).json()).toMatchObject({ selfLink });
  });

  it("serves the live generation only, and honours conditions on reads", async () => {
    const { generation } = await resource();
    for (const base of [`${METADATA}?`, `${JSON_MEDIA}?alt=media&`]) {
      expect((await get(`${base}generation=${generation}`)).status).toBe(200);
      expect((await get(`${base}generation=1`)).status).toBe(404);
      expect((await get(`${base}ifGenerationMatch=1`)).status).toBe(412);
      expect((await get(`${base}ifGenerationNotMatch=${generation}`)).status).toBe(304);
      expect((await get(`${base}ifGenerationMatch=x`)).status).toBe(400);
    }
  });

  it.each([
    "/storage/v1/b/exports/o/a/b",
    "/storage/v1/b/exports/x",
    "/storage/v1/b/exports/o/",
    "/upload/storage/v1/b/exports/o/a",
    "/download/storage/v1/b/exports",
  ])("returns 404 for %s", async (target) => {
    const response = await get(target);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Not Found");
  });

  it.each([`/storage/v1/b/${BUCKET}/o?matchGlob=**`, `/storage/v1/b/${BUCKET}/o?softDeleted=true`])("rejects %s", async (target) => {
    const response = await get(target);
    expect(await response.json()).toMatchObject({ error: { code: 400, errors: [{ domain: "global", reason: "notImplemented" }] } });
  });

  it.each([
    ["POST", "/storage/v1/b?project=demo-local", "Creating a bucket"],
    ["PATCH", `/storage/v1/b/${BUCKET}`, "PATCH of a bucket"],
    ["GET", `/storage/v1/b/${BUCKET}/iam`, "iam of a bucket"],
    ["POST", `/storage/v1/b/${BUCKET}/o/all/compose`, "compose of an object"],
    ["GET", `/storage/v1/b/${BUCKET}/o?matchGlob=**.csv`, "The parameter matchGlob of a list"],
  ])("says of %s %s that it is not supported", async (method, target, what) => {
    const response = await get(target, {}, method);
    const message = `${what} is not supported by the local Cloud Storage.`;
    expect([response.status, await response.json()]).toEqual([400, { error: expect.objectContaining({ message }) }]);
  });

  it("takes an empty parameter of a list for none", async () => {
    const unset = ["prefix", "delimiter", "startOffset", "endOffset", "pageToken", "filter", "matchGlob", "softDeleted"].map(
      (name) => `${name}=`,
    );
    const whole = await (await get(`/storage/v1/b/${BUCKET}/o`)).json();
    expect(await (await get(`/storage/v1/b/${BUCKET}/o?${unset.join("&")}`)).json()).toEqual(whole);
    expect(whole).toHaveProperty("items");
  });

  it.each(["maxResults=0", "maxResults=-1", "maxResults=x", "pageToken=!"])("rejects %s in a list", async (query) => {
    expect((await get(`/storage/v1/b/${BUCKET}/o?${query}`)).status).toBe(400);
  });
});

describe("content stored with Content-Encoding gzip", () => {
  const plain = "a,b\n".repeat(100);
  const packed = gzipSync(plain);
  const target = `/${BUCKET}/packed`;

  beforeAll(async () => {
    await storage.client
      .bucket(BUCKET)
      .file("packed")
      .save(packed, { resumable: false, metadata: { contentEncoding: "gzip" } });
  });

  it("is sent unchanged to clients that accept gzip, else decompressed and whole", async () => {
    const accepting = await get(target, { "accept-encoding": "gzip" });
    expect(accepting.headers.get("content-encoding")).toBe("gzip");
    expect(accepting.headers.get("content-length")).toBe(String(packed.length));
    const other = await get(target, { "accept-encoding": "identity", range: "bytes=0-3" });
    expect([other.status, other.headers.get("content-encoding"), other.headers.get("content-length")]).toEqual([200, null, null]);
    expect(other.headers.get("x-goog-stored-content-encoding")).toBe("gzip");
    expect(await other.text()).toBe(plain);
  });
});

describe("a running download", () => {
  it("returns the old content when the object is overwritten, and does not harm the server when it is aborted", async () => {
    const file = storage.client.bucket(BUCKET).file("large");
    const old = randomBytes(20_000_000);
    await store(old);
    const reading = await get(`/${BUCKET}/large`);
    await file.save("new", { resumable: false });
    expect(Buffer.from(await reading.arrayBuffer()).equals(old)).toBe(true);
    await store(old);
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${storage.tokens.service}` };
    const broken = await fetch(`${storage.origin}/${BUCKET}/large`, { headers, signal: controller.signal });
    controller.abort();
    await expect(broken.arrayBuffer()).rejects.toThrow();
    expect(await (await get(XML)).text()).toBe(CONTENT);
  });

  async function store(content: Buffer): Promise<void> {
    const draft = await storage.store.create(BUCKET, "large", { contentType: "a/b" });
    await writeFile(draft.path, content);
    await draft.commit();
  }
});
