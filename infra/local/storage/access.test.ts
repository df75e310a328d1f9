import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BUCKET,
  LONGER_UID,
  mintToken,
  OTHER_BUCKET,
  type RawAnswer,
  requestRaw,
  type StorageUnderTest,
  startStorageUnderTest,
  UID,
} from "../../testing/engines/storage-under-test.ts";
import { SCOPES } from "../identity.ts";

const MINE = `results/${UID}/job/part-1`;
const FOREIGN = `results/${LONGER_UID}/job/part-1`;
const OBJECTS = `/storage/v1/b/${BUCKET}/o`;
const READER = `storage-${UID}@demo-local.iam.gserviceaccount.com`;

let storage: StorageUnderTest;

beforeAll(async () => {
  storage = await startStorageUnderTest();
  for (const bucket of [BUCKET, OTHER_BUCKET]) {
    for (const name of [MINE, FOREIGN, "top", "results/other"]) {
      await storage.client.bucket(bucket).file(name).save(`content of ${name}`, { resumable: false });
    }
  }
});

afterAll(() => storage.close());

function media(name: string): string {
  return `/download${OBJECTS}/${encodeURIComponent(name)}?alt=media`;
}

function metadata(name: string): string {
  return `${OBJECTS}/${encodeURIComponent(name)}`;
}

function list(prefix: string): string {
  return `${OBJECTS}?${new URLSearchParams({ prefix })}`;
}

/** Everything by which a stranger could tell responses apart, except the time and the requested name. */
function visible({ status, headers, body }: RawAnswer, name: string) {
  const { date: _, ...rest } = headers;
  return { status, headers: rest, body: body.replaceAll(name, "NAME") };
}

describe("401", () => {
  const targets = [
    media(MINE),
    metadata(MINE),
    metadata("nothing"),
    list(`results/${UID}/`),
    "/storage/v1/b?project=p",
    `/${BUCKET}/${MINE}`,
  ];

  it.each(targets)("is the response at %s without a token, with a foreign and with an empty one", async (target) => {
    for (const authorization of [undefined, "Bearer ya29.unknown", "Bearer ", "Basic eDp5", `bearer${storage.tokens.reader}`]) {
      const response = await fetch(`${storage.origin}${target}`, authorization === undefined ? {} : { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="https:\/\/accounts\.google\.com\/"/);
      expect(await response.text()).not.toContain("content of");
    }
  });

  it("is JSON in the JSON API", async () => {
    const anonymous = await fetch(`${storage.origin}${metadata(MINE)}`);
    const message =
      "Anonymous caller does not have storage.objects.get access to the Google Cloud Storage object. Permission 'storage.objects.get' denied on resource (or it may not exist).";
    const location = { locationType: "header", location: "Authorization" };
    expect(await anonymous.json()).toEqual({
      error: { code: 401, message, errors: [{ message, domain: "global", reason: "required", ...location }] },
    });
    const unknown = await fetch(`${storage.origin}${metadata(MINE)}`, { headers: { authorization: "Bearer x" } });
    const invalid = { message: "Invalid Credentials", domain: "global", reason: "authError", ...location };
    expect(await unknown.json()).toEqual({ error: { code: 401, message: "Invalid Credentials", errors: [invalid] } });
    expect(unknown.headers.get("content-type")).toBe("application/json; charset=UTF-8");
  });

  it("is XML in the XML API", async () => {
    const response = await fetch(`${storage.origin}/${BUCKET}/${MINE}`, { headers: { authorization: "Bearer x" } });
    expect(response.headers.get("content-type")).toBe("application/xml; charset=UTF-8");
    expect(await response.text()).toBe(
      "<?xml version='1.0' encoding='UTF-8'?><Error><Code>AuthenticationRequired</Code><Message>Authentication required.</Message></Error>",
    );
  });

  it("is the response for an expired token and for a disabled account", async () => {
    const own = await startStorageUnderTest();
    const ask = async (token: string) => (await requestRaw(own.origin, list(`results/${UID}/`), token)).status;
    expect(await ask(own.tokens.reader)).toBe(200);
    own.identity.setDisabled(READER, true);
    expect(await ask(own.tokens.reader)).toBe(401);
    own.identity.setDisabled(READER, false);
    expect(await ask(own.tokens.reader)).toBe(200);
    own.advance(3600 * 1000);
    expect(await ask(own.tokens.reader)).toBe(401);
    await own.close();
  });
});

describe("a customer", () => {
  it.each([media(MINE), metadata(MINE), `/${BUCKET}/${MINE}`, `/b/${BUCKET}/o/${encodeURIComponent(MINE)}?alt=media`])(
    "reads its own object at %s",
    async (target) => {
      const { status, body } = await requestRaw(storage.origin, target, storage.tokens.reader);
      expect(status).toBe(200);
      expect(body).toContain(target === metadata(MINE) ? `"name":"${MINE}"` : `content of ${MINE}`);
    },
  );

  it("gets 404 for a missing object of its own folder", async () => {
    const missing = `results/${UID}/nothing`;
    expect((await requestRaw(storage.origin, metadata(missing), storage.tokens.reader)).status).toBe(404);
    expect((await requestRaw(storage.origin, `/${BUCKET}/${missing}`, storage.tokens.reader)).body).toContain("<Code>NoSuchKey</Code>");
  });

  it("lists its own folder and everything below it, and nothing else, whatever the other parameters", async () => {
    for (const prefix of [`results/${UID}/`, `results/${UID}/job/`]) {
      for (const more of [
        "",
        "&delimiter=%2F",
        "&startOffset=a",
        "&includeFoldersAsPrefixes=True&softDeleted=False",
        "&versions=true",
        "&pageToken=bmE",
      ]) {
        const { status, body } = await requestRaw(storage.origin, `${list(prefix)}${more}`, storage.tokens.reader);
        expect(status).toBe(200);
        expect(body).toContain(UID);
        expect(body).not.toContain(LONGER_UID);
      }
    }
  });

  const denied: readonly (readonly [string, string])[] = [
    ["GET", OBJECTS],
    ["GET", list("")],
    ["GET", list("results/")],
    ["GET", list(`results/${UID}`)],
    ["GET", list(`results/${LONGER_UID}/`)],
    ["GET", list(`/results/${UID}/`)],
    ["GET", list(`Results/${UID}/`)],
    ["GET", `/storage/v1/b/${OTHER_BUCKET}/o?prefix=results/${UID}/`],
    ["GET", `/storage/v1/b/nothing/o?prefix=results/${UID}/`],
    ["GET", metadata(FOREIGN)],
    ["GET", metadata("top")],
    ["GET", metadata(`results/${UID}`)],
    ["GET", media(FOREIGN)],
    ["GET", `/${BUCKET}/${FOREIGN}`],
    ["HEAD", `/${BUCKET}/${FOREIGN}`],
    ["GET", `/${OTHER_BUCKET}/${MINE}`],
    ["GET", `/storage/v1/b/${BUCKET}`],
    ["GET", "/storage/v1/b?project=demo-local"],
    ["GET", `/${BUCKET}`],
    ["GET", `/${BUCKET}?prefix=results/${LONGER_UID}/`],
    ["DELETE", metadata(MINE)],
    ["DELETE", metadata(FOREIGN)],
    ["PATCH", metadata(MINE)],
    ["PUT", metadata(MINE)],
    ["POST", `${metadata(MINE)}/rewriteTo/b/${BUCKET}/o/x`],
    ["POST", `${metadata(FOREIGN)}/copyTo/b/${BUCKET}/o/${encodeURIComponent(MINE)}`],
    ["POST", `${metadata(MINE)}/compose`],
    ["POST", "/storage/v1/b?project=demo-local"],
    ["GET", `/storage/v1/b/${BUCKET}/iam`],
    ["POST", `/upload${OBJECTS}?uploadType=media&name=${MINE}`],
    ["POST", `/upload${OBJECTS}?uploadType=resumable&name=${MINE}`],
    ["PUT", `/${BUCKET}/${MINE}`],
    ["DELETE", `/${BUCKET}/${MINE}`],
    ["DELETE", `/storage/v1/b/${BUCKET}`],
  ];

  it.each(denied)("may not %s %s", async (method, target) => {
    expect((await requestRaw(storage.origin, target, storage.tokens.reader, method)).status).toBe(403);
    const broad = mintToken(storage.identity, `storage-${UID}`, [SCOPES.cloudPlatform]);
    const { status, body } = await requestRaw(storage.origin, target, broad, method);
    expect(status).toBe(403);
    if (method !== "HEAD") expect(body).toMatch(new RegExp(`${READER} does not have storage\\.\\w+\\.\\w+ access to the Google Cloud`));
  });

  it("cannot tell whether an object exists elsewhere", async () => {
    const reach = [metadata, media, (name: string) => `/${BUCKET}/${name}`];
    for (const target of reach) {
      const [existing, missing] = await Promise.all(
        [FOREIGN, `results/${LONGER_UID}/job/part-2`].map(async (name) =>
          visible(await requestRaw(storage.origin, target(name), storage.tokens.reader), name),
        ),
      );
      expect(existing).toEqual(missing);
    }
  });

  const tricks: readonly string[] = [
    `/${BUCKET}/results/${UID}/../${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}/%2e%2e/${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}%2f..%2f${LONGER_UID}%2fjob%2fpart-1`,
    `/${BUCKET}/results/${UID}/%252e%252e/${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}/..%5c${LONGER_UID}/job/part-1`,
    `/${BUCKET}//results/${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results//${LONGER_UID}/job/part-1`,
    `/${BUCKET}/./results/${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}%00/../${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}/#/../../${LONGER_UID}/job/part-1`,
    `/${BUCKET}/results/${UID}+/../${LONGER_UID}/job/part-1`,
    `/x/../${BUCKET}/${FOREIGN}`,
    `/%2e%2e/${BUCKET}/${FOREIGN}`,
    `//${BUCKET}/${FOREIGN}`,
    `${OBJECTS}/results/${UID}/../${LONGER_UID}/job/part-1?alt=media`,
    `${OBJECTS}/results%2F${UID}%2F..%2F${LONGER_UID}%2Fjob%2Fpart-1?alt=media`,
    `${OBJECTS}/results%2F${UID}%2F%2e%2e%2F${LONGER_UID}%2Fjob%2Fpart-1?alt=media`,
    `${OBJECTS}/../o/${encodeURIComponent(FOREIGN)}?alt=media`,
    `/download/storage/v1/b/${BUCKET}/o/results%2F${UID}%2F..%2F${LONGER_UID}%2Fjob%2Fpart-1`,
    `/storage/v1/b/${BUCKET}%2F..%2F${BUCKET}/o/${encodeURIComponent(FOREIGN)}?alt=media`,
    `${OBJECTS}?prefix=results/${UID}/&prefix=results/${LONGER_UID}/`,
    `${OBJECTS}?prefix=results/${UID}/../${LONGER_UID}/`,
    `${OBJECTS}?prefix=results%2F${UID}%2F%2e%2e%2F${LONGER_UID}%2F`,
    `${OBJECTS}?prefix=results/${UID}/&startOffset=results/${LONGER_UID}/`,
    `${OBJECTS}?Prefix=results/${UID}/`,
    `/${BUCKET}/results/${UID}/%ff`,
    `/${BUCKET}/results/${UID}/%`,
  ];

  it.each(tricks)("gets no foreign object by %s", async (target) => {
    const { status, body } = await requestRaw(storage.origin, target, storage.tokens.reader);
    expect(body).not.toContain("content of");
    expect(body).not.toContain(`"name":"results/${LONGER_UID}`);
    if (status === 200) expect(JSON.parse(body)).toEqual({ kind: "storage#objects" });
    else expect([400, 403, 404]).toContain(status);
  });

  it("reads an object whose name looks like such a trick", async () => {
    const names = ["..", "a+b c", "a%2Fb", "ü", "//x", "?#"].map((part) => `results/${UID}/${part}/x`);
    for (const name of names) {
      await storage.client.bucket(BUCKET).file(name).save(name, { resumable: false });
      for (const target of [media(name), `/${BUCKET}/${name.split("/").map(encodeURIComponent).join("/")}`]) {
        expect(await requestRaw(storage.origin, target, storage.tokens.reader)).toMatchObject({ status: 200, body: name });
      }
    }
  });
});

describe("other tokens", () => {
  it("of the warehouse, without a storage scope, and of accounts without a role are denied everything", async () => {
    const cloud = [SCOPES.cloudPlatform];
    const tokens = [
      storage.tokens.warehouse,
      mintToken(storage.identity, `warehouse-${UID}`, cloud),
      mintToken(storage.identity, `storage-${UID}`, [SCOPES.bigquery]),
      mintToken(storage.identity, "functions", [SCOPES.bigquery]),
      mintToken(storage.identity, "stranger", cloud),
    ];
    for (const token of tokens) {
      for (const target of [media(MINE), metadata(MINE), list(`results/${UID}/`), `/${BUCKET}/${MINE}`, "/storage/v1/b?project=p"]) {
        expect((await requestRaw(storage.origin, target, token)).status).toBe(403);
      }
    }
  });

  it("without a storage scope get an error that says so", async () => {
    const token = mintToken(storage.identity, `storage-${UID}`, [SCOPES.bigquery]);
    const { headers, body } = await requestRaw(storage.origin, metadata(MINE), token);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 403, message: "Provided scope(s) are not authorized", errors: [{ reason: "forbidden" }] },
    });
    expect(headers["www-authenticate"]).toContain("error=insufficient_scope");
  });

  it("of the service with the read-only scope can read but not write", async () => {
    const token = mintToken(storage.identity, "functions", [SCOPES.storageRead]);
    expect((await requestRaw(storage.origin, metadata("top"), token)).status).toBe(200);
    expect((await requestRaw(storage.origin, metadata("top"), token, "DELETE")).status).toBe(403);
    expect((await requestRaw(storage.origin, metadata("top"), storage.tokens.service)).status).toBe(200);
  });
});
