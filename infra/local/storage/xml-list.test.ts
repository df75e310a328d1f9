import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BUCKET,
  LONGER_UID,
  OTHER_BUCKET,
  requestRaw,
  type StorageUnderTest,
  startStorageUnderTest,
  UID,
} from "../../testing/engines/storage-under-test.ts";
import { encodePageToken } from "./page-token.ts";

const NAMES = ["a&<b>.csv", "d/1", "d/2", "d/e/3", "f", "ü"];
const FOLDER = `results/${UID}/`;

let storage: StorageUnderTest;

beforeAll(async () => {
  storage = await startStorageUnderTest();
  const save = (bucket: string, name: string) => storage.client.bucket(bucket).file(name).save(name, { resumable: false });
  for (const name of NAMES) await save(OTHER_BUCKET, name);
  for (const folder of [FOLDER, `results/${LONGER_UID}/`, "results/zzz/"]) await save(BUCKET, `${folder}part-1`);
});

afterAll(() => storage.close());

interface List {
  readonly status: number;
  readonly body: string;
  /** The objects' names and the common prefixes, in the order of the answer. */
  readonly names: readonly string[];
}

async function list(bucket: string, query: Readonly<Record<string, string>>, token = storage.tokens.service): Promise<List> {
  const { status, body } = await requestRaw(storage.origin, `/${bucket}?${new URLSearchParams(query)}`, token);
  return {
    status,
    body,
    names: [...body.matchAll(/<Key>(.*?)<\/Key>|<CommonPrefixes><Prefix>(.*?)</g)].map(([, key, prefix]) => key ?? prefix ?? ""),
  };
}

const elementOf = ({ body }: List, name: string): string | undefined => new RegExp(`<${name}>(.*?)</${name}>`).exec(body)?.[1];

describe("a list of the XML API", () => {
  it("is of all objects in the order of their names, with what Google tells of each", async () => {
    const all = await list(OTHER_BUCKET, { "list-type": "2" });
    expect(all).toMatchObject({ status: 200, names: ["a&amp;&lt;b&gt;.csv", ...NAMES.slice(1)] });
    expect(["Name", "KeyCount", "MaxKeys", "IsTruncated"].map((name) => elementOf(all, name))).toEqual([
      OTHER_BUCKET,
      "6",
      "1000",
      "false",
    ]);
    const [metadata] = await storage.client.bucket(OTHER_BUCKET).file("f").getMetadata();
    const etag = Buffer.from(metadata.md5Hash ?? "", "base64").toString("hex");
    expect(all.body).toContain(
      `<Contents><Key>f</Key><Generation>${metadata.generation}</Generation><MetaGeneration>1</MetaGeneration><LastModified>${metadata.updated}</LastModified><ETag>"${etag}"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
    expect(all.body).not.toContain("NextContinuationToken");
  });

  it("has the common prefixes of a delimiter", async () => {
    expect((await list(OTHER_BUCKET, { "list-type": "2", delimiter: "/", prefix: "d/" })).names).toEqual(["d/1", "d/2", "d/e/"]);
    const top = await list(OTHER_BUCKET, { "list-type": "2", delimiter: "/", prefix: "" });
    expect(top.body).toContain("<CommonPrefixes><Prefix>d/</Prefix></CommonPrefixes>");
    expect(elementOf(top, "KeyCount")).toBe("4");
  });

  it.each([
    ["2", "continuation-token", "NextContinuationToken"],
    ["1", "marker", "NextMarker"],
  ])("of version %s has pages", async (version, parameter, next) => {
    for (const delimiter of ["", "/"]) {
      const query = { "list-type": version, delimiter, "max-keys": "1" };
      const whole = (await list(OTHER_BUCKET, { ...query, "max-keys": "1000" })).names;
      const paged: string[] = [];
      for (let at: string | undefined = ""; at !== undefined; ) {
        const page: List = await list(OTHER_BUCKET, at === "" ? query : { ...query, [parameter]: at });
        paged.push(...page.names);
        at = elementOf(page, next)?.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        expect(elementOf(page, "IsTruncated")).toBe(String(at !== undefined));
      }
      expect(paged.toSorted()).toEqual(whole.toSorted());
    }
  });

  it("starts after a name, at the first if the name is empty, and where its token says if it has both", async () => {
    expect((await list(OTHER_BUCKET, { "list-type": "2", "start-after": "d/2" })).names).toEqual(["d/e/3", "f", "ü"]);
    expect((await list(OTHER_BUCKET, { "list-type": "2", "start-after": "" })).names).toHaveLength(NAMES.length);
    const token = encodePageToken({ entry: "f", isPrefix: false });
    expect((await list(OTHER_BUCKET, { "list-type": "2", "start-after": "a", "continuation-token": token })).names).toEqual(["ü"]);
  });

  it("shows a customer its own folder, wherever the list is to begin", async () => {
    const mine = [`${FOLDER}part-1`];
    const reader = storage.tokens.reader;
    expect(await list(BUCKET, { "list-type": "2", prefix: FOLDER }, reader)).toMatchObject({ status: 200, names: mine });
    const foreign = encodePageToken({ entry: "results/", isPrefix: false });
    expect((await list(BUCKET, { "list-type": "2", prefix: FOLDER, "continuation-token": foreign }, reader)).names).toEqual(mine);
    for (const past of [{ "start-after": `${FOLDER}z` }, { marker: "results/y" }])
      expect((await list(BUCKET, { "list-type": "marker" in past ? "1" : "2", prefix: FOLDER, ...past }, reader)).names).toEqual([]);
    for (const prefix of ["", "results/", `results/${UID}`, `results/${LONGER_UID}/`]) {
      const { status, body } = await list(BUCKET, { "list-type": "2", prefix }, reader);
      expect([status, body]).toEqual([403, expect.stringContaining("<Code>AccessDenied</Code>")]);
      expect(body).not.toContain("part-1");
    }
    expect((await list(OTHER_BUCKET, { prefix: FOLDER }, reader)).status).toBe(403);
  });

  it.each([
    [{ "list-type": "3" }, 400, "InvalidArgument"],
    [{ "max-keys": "0" }, 400, "InvalidArgument"],
    [{ "max-keys": "many" }, 400, "InvalidArgument"],
    [{ "list-type": "2", "continuation-token": "?" }, 400, "InvalidArgument"],
    [{ uploads: "" }, 400, "NotImplemented"],
    [{ acl: "" }, 400, "NotImplemented"],
    [{ "encoding-type": "url" }, 400, "NotImplemented"],
  ])("with %o is refused", async (query: Readonly<Record<string, string>>, status, code) => {
    expect(await list(OTHER_BUCKET, query)).toMatchObject({ status, body: expect.stringContaining(`<Code>${code}</Code>`) });
  });

  it("of a bucket that does not exist is a 404", async () => {
    expect(await list("nothing-here", {})).toMatchObject({ status: 404, body: expect.stringContaining("<Code>NoSuchBucket</Code>") });
  });
});
