import { Firestore } from "@google-cloud/firestore";
import { CRC32C } from "@google-cloud/storage";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { serveInProcess } from "../../infra/testing/in-process.ts";
import { type Answer, call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { keyHash } from "../../shared/accounts/api-key.ts";
import { UrlsResponse } from "../../shared/aggregation/export-urls.ts";
import { config } from "../../shared/runtime/config.ts";
import signUrls from "./urls.ts";

const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", ...window, full: true };
const activities = { agg_type: "activities", measure: "stays_count", activity_type: "daily", geo_type: "grid_1000m", ...window };

const db = new Firestore({ projectId: ready.project });
const customer = await newCustomer();
const other = await newCustomer();
const key = keyOf(customer);
let id: string;
let names: string[];

beforeAll(async () => {
  ({ id } = await runJob(key, odm));
  const { body } = await call("data", "GET", `/data-agg/results/${id}`, { key });
  names = v.parse(v.object({ files: v.array(v.object({ name: v.string() })) }), body).files.map(({ name }) => name);
});

afterAll(() => db.terminate());

function ask(job: string, body?: object, as = key): Promise<Answer> {
  return call("data", "POST", `/data-agg/results/${job}/urls`, { key: as, ...(body ? { body } : {}) });
}

async function urlsOf(job: string, body?: object, as = key): Promise<v.InferOutput<typeof UrlsResponse>> {
  const answer = await ask(job, body, as);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return v.parse(UrlsResponse, answer.body);
}

async function urlOf(job: string, body?: object, as = key): Promise<string> {
  return (await urlsOf(job, body, as)).urls[0]?.url ?? "";
}

/** Disables or enables the account that reads a customer's files, as `customers suspend` does. */
async function setAccount({ uid }: { uid: string }, verb: "disable" | "enable"): Promise<void> {
  const metadata = `http://${ready.metadata_host}`;
  const minted = await fetch(`${metadata}/computeMetadata/v1/instance/service-accounts/default/token`, {
    headers: { "metadata-flavor": "Google" },
  });
  const { access_token: token } = v.parse(v.object({ access_token: v.string() }), await minted.json());
  const account = `storage-${uid}@${ready.project}.iam.gserviceaccount.com`;
  const response = await fetch(`${metadata}/v1/projects/${ready.project}/serviceAccounts/${account}:${verb}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
}

describe("the URLs of a job's files", () => {
  it("read each file without any header, in the order of the results", async () => {
    const { urls, next_cursor } = await urlsOf(id);
    expect(urls.map(({ name }) => name)).toEqual(names);
    expect(next_cursor).toBeNull();
    for (const { url, size, crc32c } of urls) {
      const content = Buffer.from(await (await fetch(url)).arrayBuffer());
      const hash = new CRC32C();
      hash.update(content);
      expect([content.length, hash.toString()]).toEqual([size, crc32c]);
      expect((await fetch(url, { headers: { range: "bytes=0-9" } })).status).toBe(206);
      expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    }
  });

  it("are valid for 15 minutes, or for as long as asked, and signed by the customer's storage account", async () => {
    const served = await serveInProcess({ endpoint: signUrls, config: config(), now: () => new Date("2040-05-01T10:00:00.789Z") });
    for (const [body, seconds, until] of [
      [{}, "900", "2040-05-01T10:15:00.000Z"],
      [{ expires_in: 3600 }, "3600", "2040-05-01T11:00:00.000Z"],
      [{ expires_in: 1 }, "1", "2040-05-01T10:00:01.000Z"],
    ] as const) {
      const answer = await served.call({ key, path: `/data-agg/results/${id}/urls`, body });
      const [first] = v.parse(UrlsResponse, answer.body).urls;
      const { searchParams } = new URL(first?.url ?? "");
      expect(first?.expires_at).toBe(until);
      expect(searchParams.get("X-Goog-Date")).toBe("20400501T100000Z");
      expect(searchParams.get("X-Goog-Expires")).toBe(seconds);
      expect(searchParams.get("X-Goog-SignedHeaders")).toBe("host");
      expect(searchParams.get("X-Goog-Credential")).toBe(
        `storage-${customer.uid}@${ready.project}.iam.gserviceaccount.com/20400501/auto/storage/goog4_request`,
      );
    }
    await served.close();
  });

  it("are those of the named files only, each once", async () => {
    const { urls } = await urlsOf(id, { files: [names[0], names[0]] });
    expect(urls.map(({ name }) => name)).toEqual([names[0]]);
    expect(await ask(id, { files: ["manifest", names[0], "../x"] })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: "/files/0", detail: "is not a file of this job's results, which list their names" },
          { pointer: "/files/2", detail: "is not a file of this job's results, which list their names" },
        ],
      },
    });
  });

  it("come in pages of 100", async () => {
    const { id: many } = await runJob(key, odm);
    const files = Array.from({ length: 230 }, (_, index) => ({
      name: `part-${String(index).padStart(3, "0")}`,
      size: 1,
      crc32c: "AAAAAA==",
    }));
    await db.collection("jobs").doc(many).update({ "result.files": files });
    const found: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page: v.InferOutput<typeof UrlsResponse> = await urlsOf(many, cursor === null ? {} : { cursor });
      sizes.push(page.urls.length);
      found.push(...page.urls.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(sizes).toEqual([100, 100, 30]);
    expect(found).toEqual(files.map(({ name }) => name));
    expect(await ask(id, { cursor: Buffer.from("part-099").toString("base64url") })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/cursor", detail: "must be a next_cursor of this job's URLs, for the same files" }] },
    });
  });

  it.each([0, 3601, 1.5, "900"])("are refused for %j seconds", async (expires_in) => {
    const detail = `must be a whole number of seconds from 1 to 3,600${expires_in === "900" ? ", without quotation marks" : ""}`;
    expect(await ask(id, { expires_in })).toMatchObject({ status: 400, body: { errors: [{ pointer: "/expires_in", detail }] } });
  });

  it.each([[[]], [[""]], [[1]], ["part"]])("are refused for the files %j", async (files) => {
    expect(await ask(id, { files })).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });
});

describe("a job without files", () => {
  it("that was submitted without full is a 409 that says where its rows are", async () => {
    const { id: preview } = await runJob(key, activities);
    expect(await ask(preview)).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: "The job has no files: it was submitted without full, so its rows are in its results" },
    });
  });

  it("since it has not finished, failed, was cancelled or expired, is told so as in the results", async () => {
    const idle = await newCustomer({ limits: { runningJobs: 0 } });
    const submitted = await call("data", "POST", "/data-agg", { key: keyOf(idle), body: odm });
    const { job_id: job } = v.parse(v.object({ job_id: v.string() }), submitted.body);
    expect(await ask(job, {}, keyOf(idle))).toMatchObject({
      status: 409,
      body: { code: "conflict", detail: "The job is queued; poll its status until it is completed" },
    });
    for (const [status, answer] of [
      ["failed", { status: 409, body: { code: "job_failed" } }],
      ["cancelled", { status: 409, body: { code: "job_cancelled" } }],
      ["expired", { status: 410, body: { code: "expired" } }],
    ] as const) {
      await db.collection("jobs").doc(job).update({ status });
      expect(await ask(job, {}, keyOf(idle))).toMatchObject(answer);
    }
  });
});

describe("a key", () => {
  it("of another customer gets the same answer as for a job that does not exist", async () => {
    const foreign = await ask(id, {}, keyOf(other));
    const unknown = await ask("00000000-0000-4000-8000-000000000000", {}, keyOf(other));
    expect(foreign).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect({ ...Object(foreign.body), request_id: "" }).toEqual({ ...Object(unknown.body), request_id: "" });
  });

  it("that is limited to some countries gets the URLs of jobs in these, and none of others", async () => {
    const limited = await newCustomer();
    const { environment } = functionsConfig(ready.project);
    const [est, nor] = [await runJob(keyOf(limited), odm), await runJob(keyOf(limited), { ...odm, country_code: "NOR" })];
    await db
      .collection("apiKeys")
      .doc(keyHash(environment, keyOf(limited, "warehouse")))
      .update({ countries: ["EST"] });
    const as = keyOf(limited, "warehouse");
    expect((await fetch(await urlOf(est.id, {}, as))).status).toBe(200);
    expect(await ask(nor.id, {}, as)).toMatchObject({
      status: 404,
      body: { code: "not_found", detail: "There is no such job" },
    });
  });

  it("that is revoked signs nothing more, but its URLs stay valid until they expire, unless the account is disabled", async () => {
    const revoked = await newCustomer();
    const { environment } = functionsConfig(ready.project);
    const { id: job } = await runJob(keyOf(revoked), odm);
    const url = await urlOf(job, {}, keyOf(revoked));
    await db
      .collection("apiKeys")
      .doc(keyHash(environment, keyOf(revoked)))
      .delete();
    expect(await ask(job, {}, keyOf(revoked))).toMatchObject({ status: 401 });
    expect((await fetch(url)).status).toBe(200);
    await setAccount(revoked, "disable");
    expect((await fetch(url)).status).toBe(403);
    await setAccount(revoked, "enable");
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("a URL", () => {
  it("opens no other object: neither another customer's nor another of the same customer", async () => {
    const { id: theirs } = await runJob(keyOf(other), odm);
    const { id: mine } = await runJob(key, odm);
    const url = await urlOf(id);
    const foreign = new URL(await urlOf(theirs, {}, keyOf(other)));
    for (const path of [foreign.pathname, url.split("?")[0]?.replace(id, mine) ?? "", `/${ready.export_bucket}/`]) {
      const tampered = await fetch(new URL(path + new URL(url).search, ready.storage_endpoint));
      expect([tampered.status, await tampered.text()]).toEqual([403, expect.stringContaining("<Code>SignatureDoesNotMatch</Code>")]);
    }
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
  });

  it("is in no log, and each signing is in the audit", async () => {
    const served = await serveInProcess({ endpoint: signUrls, config: config() });
    const path = `/data-agg/results/${id}/urls`;
    expect(await served.call({ key, path, body: {} })).toMatchObject({ status: 200 });
    expect(await served.call({ key, path, body: { cursor: "x" } })).toMatchObject({ status: 400 });
    await served.close();
    const logged = served.logged.join("\n");
    expect(logged).not.toMatch(/X-Goog|Signature|part-1|http:/);
    expect(logged).toContain(`"audit":{"action":"url.sign","uid":"${customer.uid}"`);
  });

  it("is not signed while the account is disabled: 503, without the cause", async () => {
    const disabled = await newCustomer();
    const { id: job } = await runJob(keyOf(disabled), odm);
    await setAccount(disabled, "disable");
    expect(await ask(job, {}, keyOf(disabled))).toMatchObject({
      status: 503,
      body: { code: "unavailable", detail: "URLs cannot be signed right now; please try again" },
    });
  });
});
