import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as forward, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMetadata } from "../../infra/local/iam/server.ts";
import { Identity } from "../../infra/local/identity.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { startStorage } from "../../infra/local/storage/server.ts";
import { exportPrefix, isManifest, manifestName } from "../aggregation/export-path.ts";
import { parseConfig } from "../runtime/config.ts";
import { type Exports, openExports } from "./storage.ts";

const PROJECT = "populus-exports";
const FOLDER = "results/acmemobility/a-job/odm_daily_trips/";
const ACCOUNT = `functions@${PROJECT}.iam.gserviceaccount.com`;

const directory = mkdtempSync(join(tmpdir(), "populus-exports-"));
let servers: LocalServer[] = [];
let proxy: Server;
let exports: Exports;
/** The names of removed objects, in order. */
let removed: string[] = [];
/** How many uploads have reached Cloud Storage, and how many of the next ones lose their response. */
let uploads = 0;
let answersToLose = 0;
/** How many of the next uploads get a conflict with another request. */
let conflicts = 0;
/** Receives each removal before it reaches Cloud Storage, which it does when `pass` is called. */
let onRemoval = (pass: () => void): void => pass();

/** A local Cloud Storage behind a proxy that records removals, can hold them back, and can drop the responses to uploads. */
beforeAll(async () => {
  const identity = new Identity();
  identity.addAccount(ACCOUNT);
  const storage = await startStorage({ directory, buckets: ["exports"], identity });
  const metadata = await startMetadata({ identity, project: PROJECT, account: ACCOUNT });
  servers = [storage, metadata];
  proxy = createServer((request, response) => {
    const { url = "", method, headers } = request;
    if (url.startsWith("/upload/") && conflicts-- > 0) {
      response.writeHead(409, { "content-type": "application/json" }).end('{"error":{"code":409,"message":"conflict"}}');
      return;
    }
    const passed = forward(`http://${storage.address}${url}`, { method, headers }, (answer) => {
      if (method === "DELETE") removed.push(decodeURIComponent(url.split("/o/")[1]?.split("?")[0] ?? ""));
      const isUpload = url.startsWith("/upload/");
      if (isUpload) uploads++;
      if (isUpload && answersToLose-- > 0) {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    if (method === "DELETE") onRemoval(() => request.pipe(passed));
    else request.pipe(passed);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const { port } = v.parse(v.object({ port: v.number() }), proxy.address());
  Object.assign(process.env, {
    GCE_METADATA_HOST: metadata.address,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  });
  const environment = { GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" };
  exports = openExports(parseConfig({ ...environment, STORAGE_URL: `http://127.0.0.1:${port}` }));
});

afterAll(async () => {
  await new Promise((closed) => proxy.close(closed));
  await Promise.all(servers.map((server) => server.close()));
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  for (let part = 0; part < 25; part++) await exports.writeJson(`${FOLDER}part-1-${part}.json.gz`, part);
  await exports.writeJson(`${FOLDER}manifest.json`, {});
  await exports.writeJson("results/acmemobility/another-job/manifest.json", {});
  removed = [];
  uploads = 0;
  answersToLose = 0;
  onRemoval = (pass) => pass();
});

describe("removing an export", () => {
  it("removes its manifest before any of its parts, and leaves other exports as they are", async () => {
    await exports.remove(FOLDER, isManifest);
    expect(removed).toHaveLength(26);
    expect(removed[0]).toBe(`${FOLDER}manifest.json`);
    expect(await exports.list("results/acmemobility/")).toMatchObject([{ name: "manifest.json" }]);
  });

  it("works concurrently, and again after it is removed", async () => {
    await Promise.all(Array.from({ length: 4 }, () => exports.remove(FOLDER, isManifest)));
    await exports.remove(FOLDER, isManifest);
    expect(await exports.list(FOLDER)).toEqual([]);
  });
});

describe("writing an object", () => {
  const place = { uid: "acmemobility", jobId: "written-once", folder: "odm_daily_trips" };
  const checksum = async (): Promise<string | undefined> => (await exports.list(exportPrefix(place)))[0]?.crc32c;

  beforeEach(() => exports.remove(exportPrefix(place), isManifest));

  it("keeps the first content, and the second write does not fail", async () => {
    await exports.writeJson(manifestName(place), { created_at: "the first" });
    const first = await checksum();
    await exports.writeJson(manifestName(place), { created_at: "the second" });
    expect(await checksum()).toBe(first);
    await exports.remove(exportPrefix(place), isManifest);
    await exports.writeJson(manifestName(place), { created_at: "the second" });
    expect(await checksum()).not.toBe(first);
  });

  it("keeps the content of one of several concurrent writes", async () => {
    await Promise.all(Array.from({ length: 8 }, (_, writer) => exports.writeJson(manifestName(place), { writer })));
    const left = await checksum();
    await exports.writeJson(manifestName(place), { writer: 9 });
    expect(await checksum()).toBe(left);
    expect(uploads).toBe(9);
  });

  it("does not count as done if a racing request causes a conflict", async () => {
    conflicts = 1;
    await expect(exports.writeJson(manifestName(place), {})).rejects.toMatchObject({ code: 409 });
    expect(await exports.list(exportPrefix(place))).toEqual([]);
  });

  it("succeeds although its response was lost: the client retries, and finds its own object", async () => {
    answersToLose = 1;
    await exports.writeJson(manifestName(place), { created_at: "now" });
    expect(uploads).toBe(2);
    expect(await exports.list(exportPrefix(place))).toMatchObject([{ name: "manifest.json" }]);
  });

  it("still retries after two removals overlapped, one of which listed its files while the other's request was open", async () => {
    const held: { readonly removal: Promise<void>; readonly pass: () => void }[] = [];
    for (const prefix of [`${FOLDER}manifest.json`, "results/acmemobility/another-job/"]) {
      const arrived = Promise.withResolvers<() => void>();
      onRemoval = arrived.resolve;
      const removal = exports.remove(prefix, isManifest);
      held.push({ removal, pass: await arrived.promise });
    }
    for (const { removal, pass } of held) {
      pass();
      await removal;
    }
    answersToLose = 1;
    await exports.writeJson(manifestName(place), { created_at: "now" });
    expect(uploads).toBe(2);
  });
});
