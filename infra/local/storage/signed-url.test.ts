import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import type { GetSignedUrlConfig } from "@google-cloud/storage";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  BUCKET,
  clientFor,
  LONGER_UID,
  OTHER_BUCKET,
  type StorageUnderTest,
  startStorageUnderTest,
  UID,
} from "../../testing/engines/storage-under-test.ts";

const MINE = `results/${UID}/a job/part-1 (ä+b)'.csv`;
const FOREIGN = `results/${LONGER_UID}/job/part-1`;
const CONTENT = "content of mine";
const MINUTE_MS = 60_000;
/** Google's client refuses to sign URLs that have expired by the computer's clock. */
const START = Date.UTC(2040, 0, 15, 12);

let storage: StorageUnderTest;
let url: string;

beforeAll(async () => {
  storage = await startStorageUnderTest({ start: START });
  for (const uid of [UID, LONGER_UID]) storage.identity.addAccount(email(uid));
  await storage.client.bucket(BUCKET).file(MINE).save(CONTENT, { resumable: false, contentType: "text/csv" });
  await storage.client.bucket(BUCKET).file(FOREIGN).save("content of theirs", { resumable: false });
  await storage.client.bucket(OTHER_BUCKET).file(MINE).save("elsewhere", { resumable: false });
});

beforeEach(async () => {
  url = await signed(UID);
});

afterAll(() => storage.close());

function email(uid: string, profile = "storage"): string {
  return `${profile}-${uid}@demo-local.iam.gserviceaccount.com`;
}

/** Returns a URL that Google's client composes and the account's key in the local IAM signs. It is valid for a minute of the test's clock. */
async function signed(uid: string, name = MINE, options: Partial<GetSignedUrlConfig> & { as?: string } = {}): Promise<string> {
  const account = options.as ?? email(uid);
  const client = clientFor(storage.origin, "unused");
  Object.assign(client.authClient, {
    getCredentials: async () => ({ client_email: account }),
    sign: async (content: string) => (await storage.identity.sign(account, Buffer.from(content))).signature.toString("base64"),
  });
  const from = storage.now();
  const [made] = await client
    .bucket(BUCKET)
    .file(name)
    .getSignedUrl({ version: "v4", action: "read", accessibleAt: from, expires: from + MINUTE_MS, ...options });
  return made;
}

function changed(change: (url: URL) => void): string {
  const changing = new URL(url);
  change(changing);
  return changing.href;
}

async function errorOf(target: string, init: RequestInit = {}) {
  const response = await fetch(target, init);
  const body = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), code: /<Code>(\w+)<\/Code>/.exec(body)?.[1], body };
}

describe("a signed URL", () => {
  it("reads the object without any header", async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv");
    expect(await response.text()).toBe(CONTENT);
  });

  it("reads a range", async () => {
    const response = await fetch(url, { headers: { range: "bytes=11-14" } });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([206, "bytes 11-14/15", "mine"]);
  });

  it("for GET also serves HEAD", async () => {
    const response = await fetch(url, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "15", ""]);
  });

  it("may name the type and the disposition of the response", async () => {
    const response = await fetch(await signed(UID, MINE, { responseType: "application/octet-stream", promptSaveAs: "trips.csv" }));
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="trips.csv"');
  });

  it("may require headers, with any spaces in their values", async () => {
    const requiring = await signed(UID, MINE, { extensionHeaders: { "X-Goog-Meta-Purpose": " a  test " } });
    expect((await fetch(requiring, { headers: { "x-goog-meta-purpose": "a test" } })).status).toBe(200);
    expect(await errorOf(requiring, { headers: { "x-goog-meta-purpose": "another" } })).toMatchObject({
      status: 403,
      code: "SignatureDoesNotMatch",
    });
    expect(await errorOf(requiring)).toMatchObject({
      status: 400,
      code: "MalformedSecurityHeader",
      body: expect.stringContaining(
        "Header was included in signedheaders, but not in the request.</Details><ParameterName>x-goog-meta-purpose</ParameterName>",
      ),
    });
  });

  it("may have its parameters' names in lower case", async () => {
    const account = email(UID);
    const query = new URL(url).searchParams;
    const lower = new URLSearchParams([...query].map(([name, value]): [string, string] => [name.toLowerCase(), value]));
    expect(await errorOf(`${url.split("?")[0]}?${lower}`)).toMatchObject({ code: "SignatureDoesNotMatch" });
    const refused = (await errorOf(`${url.split("?")[0]}?${lower}`)).body;
    const toSign = /<StringToSign>([^<]*)</.exec(refused)?.[1] ?? "";
    const { signature } = await storage.identity.sign(account, Buffer.from(toSign));
    lower.set("x-goog-signature", signature.toString("hex"));
    expect((await fetch(`${url.split("?")[0]}?${lower}`)).status).toBe(200);
  });

  it("of a missing object is a 404", async () => {
    expect(await errorOf(await signed(UID, `results/${UID}/nothing`))).toMatchObject({ status: 404, code: "NoSuchKey" });
  });
});

describe("a URL that was signed for another request", () => {
  const set = (name: string, value: string) => () => changed(({ searchParams }) => searchParams.set(name, value));
  it.each<[string, () => string, RequestInit]>([
    ["object", () => url.replace("part-1", "part-2"), {}],
    ["customer's object", () => url.replace(`${UID}/a%20job`, `${LONGER_UID}/job`), {}],
    ["bucket", () => url.replace(`/${BUCKET}/`, `/${OTHER_BUCKET}/`), {}],
    ["method", () => url, { method: "PUT", body: "x" }],
    ["method to delete", () => url, { method: "DELETE" }],
    ["lifetime", set("X-Goog-Expires", "61"), {}],
    ["time", () => changed(({ searchParams }) => searchParams.set("X-Goog-Date", secondLater(searchParams.get("X-Goog-Date")))), {}],
    ["account", set("X-Goog-Credential", `${email(LONGER_UID)}/20400115/auto/storage/goog4_request`), {}],
    ["region", set("X-Goog-Credential", `${email(UID)}/20400115/eu/storage/goog4_request`), {}],
    ["signature", () => changed(({ searchParams }) => flip(searchParams)), {}],
    ["query", set("response-content-type", "text/html"), {}],
    ["generation", set("generation", "1"), {}],
  ])("with another %s is a 403 that shows what should have been signed", async (_what, target, init) => {
    const { status, type, code, body } = await errorOf(target(), init);
    expect({ status, type, code }).toEqual({ status: 403, type: "application/xml; charset=UTF-8", code: "SignatureDoesNotMatch" });
    expect(body).toMatch(
      /<Message>Access denied\.<\/Message><Details>The request signature we calculated does not match the signature you provided\. Check your Google secret key and signing method\.<\/Details><StringToSign>GOOG4-RSA-SHA256\n\d{8}T\d{6}Z\n20400115\/\w+\/storage\/goog4_request\n[0-9a-f]{64}<\/StringToSign><CanonicalRequest>\w+\n\//,
    );
    expect(body).not.toContain("X-Goog-Signature");
  });

  it("with another host is a 403", async () => {
    const { hostname, port, pathname, search } = new URL(url);
    const request = http.request({ hostname, port, path: pathname + search, headers: { host: "localhost" }, agent: false }).end();
    const [response]: [http.IncomingMessage] = await once(request, "response").then(([message]) => [message]);
    expect(response.statusCode).toBe(403);
    expect(await text(response)).toContain("\nhost:localhost\n");
  });
});

describe("a URL of an account", () => {
  it("that may not read the object is refused like its token", async () => {
    for (const account of [email(LONGER_UID), email(UID, "warehouse")]) {
      storage.identity.addAccount(account);
      expect(await errorOf(await signed(UID, MINE, { as: account }))).toMatchObject({ status: 403, code: "AccessDenied" });
    }
    expect(await errorOf(await signed(UID, FOREIGN))).toMatchObject({ status: 403, code: "AccessDenied" });
  });

  it("is refused while the account is disabled", async () => {
    storage.identity.setDisabled(email(UID), true);
    expect(await errorOf(url)).toMatchObject({ status: 403, code: "InvalidSecurity" });
    storage.identity.setDisabled(email(UID), false);
    expect((await fetch(url)).status).toBe(200);
  });

  it("that does not exist is refused", async () => {
    const account = `nobody@demo-local.iam.gserviceaccount.com/20400115/auto/storage/goog4_request`;
    expect(await errorOf(changed(({ searchParams }) => searchParams.set("X-Goog-Credential", account)))).toMatchObject({
      status: 403,
      code: "InvalidSecurity",
    });
  });
});

describe("the time of a signature", () => {
  it("ends it: from then on the answer is 400 ExpiredToken", async () => {
    storage.advance(MINUTE_MS - 1);
    expect((await fetch(url)).status).toBe(200);
    storage.advance(1);
    const { status, body } = await errorOf(url);
    expect(status).toBe(400);
    expect(body).toMatch(
      /<Code>ExpiredToken<\/Code><Message>Invalid argument\.<\/Message><Details>The provided token has expired\. Request signature expired at: 2040-01-15T\d\d:\d\d:\d\d\+00:00<\/Details>/,
    );
  });

  it("may be up to 15 minutes in the future", async () => {
    const ahead = (minutes: number) => ({ accessibleAt: storage.now() + minutes * MINUTE_MS, expires: storage.now() + 60 * MINUTE_MS });
    expect((await fetch(await signed(UID, MINE, ahead(15)))).status).toBe(200);
    expect(await errorOf(await signed(UID, MINE, ahead(16)))).toMatchObject({ status: 403, code: "RequestTimeTooSkewed" });
  });
});

describe("a malformed signature", () => {
  const without = (name: string) => () => changed(({ searchParams }) => searchParams.delete(name));
  const set = (name: string, value: string) => () => changed(({ searchParams }) => searchParams.set(name, value));
  it.each<[string, () => string]>([
    ["x-goog-algorithm", set("X-Goog-Algorithm", "GOOG4-HMAC-SHA256")],
    ["x-goog-credential", set("X-Goog-Credential", email(UID))],
    ["x-goog-date", set("X-Goog-Date", "2026-01-15")],
    ["x-goog-date", set("X-Goog-Date", "20400114T120000Z")],
    ["x-goog-expires", set("X-Goog-Expires", "604801")],
    ["x-goog-expires", set("X-Goog-Expires", "0")],
    ["x-goog-signedheaders", set("X-Goog-SignedHeaders", "range")],
    ["x-goog-signedheaders", set("X-Goog-SignedHeaders", "range;host")],
    ["x-goog-signature", set("X-Goog-Signature", "xyz")],
    ["x-goog-algorithm", without("X-Goog-Algorithm")],
    ["x-goog-expires", without("X-Goog-Expires")],
    ["x-goog-signature", without("X-Goog-Signature")],
  ])("is a 400 that names %s", async (parameter, target) => {
    expect(await errorOf(target())).toMatchObject({
      status: 400,
      code: "MalformedSecurityHeader",
      body: expect.stringContaining(`<ParameterName>${parameter}</ParameterName>`),
    });
  });

  it("is a 400 for a header of Google's own that is not signed, and for a repeated parameter", async () => {
    expect(await errorOf(url, { headers: { "x-goog-if-generation-match": "1" } })).toMatchObject({ code: "MalformedSecurityHeader" });
    expect(await errorOf(`${url}&X-Goog-Expires=3600`)).toMatchObject({ status: 400, code: "InvalidArgument" });
  });

  it("is not looked at by the JSON API, where the caller stays anonymous", async () => {
    const { search } = new URL(url);
    const target = `${storage.origin}/download/storage/v1/b/${BUCKET}/o/${encodeURIComponent(MINE)}${search}&alt=media`;
    expect((await fetch(target)).status).toBe(401);
  });

  it("is not supported beside a token, or in the form V2", async () => {
    expect(await errorOf(url, { headers: { authorization: `Bearer ${storage.tokens.reader}` } })).toMatchObject({ status: 400 });
    expect(await errorOf(`${url.split("?")[0]}?GoogleAccessId=a&Expires=1&Signature=b`)).toMatchObject({ status: 400 });
  });
});

function secondLater(date: string | null): string {
  return String(date).replace(/(\d)Z$/, (_, last: string) => `${(Number(last) + 1) % 10}Z`);
}

function flip(query: URLSearchParams): void {
  const signature = query.get("X-Goog-Signature") ?? "";
  query.set("X-Goog-Signature", (signature.startsWith("0") ? "1" : "0") + signature.slice(1));
}
