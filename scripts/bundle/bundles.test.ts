import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../infra/generated/functions.json" with { type: "json" };
import { type Bundled, bundleEntries, bundleFramework } from "./build.ts";
import { makeBundles, sha256 } from "./bundles.ts";
import { functionEntries } from "./functions.ts";
import { packageOf } from "./package-of.ts";
import { standIns } from "./stand-ins.ts";
import { packagesOf } from "./testing/source-closure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CLIENTS = ["bigquery", "firestore", "iam-credentials", "pubsub", "storage", "tasks"].map((name) => `@google-cloud/${name}`);
const GRPC = CLIENTS.filter((name) => !["@google-cloud/bigquery", "@google-cloud/storage"].includes(name));

let framework: Bundled;
let bundles: Map<string, Bundled>;
beforeAll(async () => {
  [framework, bundles] = await Promise.all([bundleFramework(root), bundleEntries(root, functionEntries(root))]);
});

/** Returns the packages whose code is in a bundle. */
function held(name: string): Set<string> {
  const sources = bundles.get(name)?.sources ?? [];
  return new Set([...sources].flatMap(([source, bytes]) => (bytes > 0 ? (packageOf(source)?.name ?? []) : [])));
}

describe.each(manifest.map(({ name, entry }) => [name, entry] as const))("the bundle of %s", (name, entry) => {
  it("holds only clients that its source needs", () => {
    const needed = packagesOf(root, entry);
    if (!name.startsWith("docs-")) needed.add("@google-cloud/firestore");
    expect([...CLIENTS, "proj4"].filter((client) => held(name).has(client) && !needed.has(client))).toEqual([]);
  });

  it("holds gRPC only if a client uses it", () => {
    expect(held(name).has("@grpc/grpc-js")).toBe(GRPC.some((client) => held(name).has(client)));
  });

  it("holds no code of the local cloud, of scripts, or of tests", () => {
    const sources = [...(bundles.get(name)?.sources.keys() ?? [])].map((source) => relative(root, source));
    expect(sources.filter((source) => /^(infra\/local|scripts)\/|\.test\.ts$/.test(source))).toEqual([]);
  });

  it("contains no path of this machine, and only ASCII, as start.cjs reads it", () => {
    expect(bundles.get(name)?.code).not.toContain(root);
    expect(bundles.get(name)?.code).toMatch(/^[\0-\x7f]+$/);
  });
});

it("Firestore's client waits for no timer before the first attempt of a call", () => {
  for (const [name, { code }] of bundles)
    if (held(name).has("@google-cloud/firestore"))
      expect(code, name).toContain("exports2.delayExecution=(run,ms)=>ms>0?setTimeout(run,ms):setImmediate(run)");
});

it("Firestore's client streams an answer to nobody but its caller, and gRPC's errors without details need no decoder", () => {
  for (const [name, { code }] of bundles) {
    if (!held(name).has("@google-cloud/firestore")) continue;
    expect(code.includes("logStream"), name).toBe(false);
    expect(code, name).toMatch(/parseGRPCStatusDetails\(\w+\)\{if\(!\w+\.metadata\?\.get\("grpc-status-details-bin"\)\.length\)return/);
  }
});

it("no environment variable switches on the debug logs of Google's clients, which have tokens", () => {
  for (const [name, { code }] of bundles) expect(code.includes("GOOGLE_SDK_NODE_LOGGING"), name).toBe(false);
});

it("the framework is ASCII too", () => {
  expect(framework.code).toMatch(/^[\0-\x7f]+$/);
});

it("endpoints that only read Firestore have no other client, and the OpenAPI endpoints have none", () => {
  const clientsOf = (name: string) => CLIENTS.filter((client) => held(name).has(client));
  for (const name of ["aggregation-status", "aggregation-jobs", "maps-list", "machine-accounts-list", "realtime-data"])
    expect(clientsOf(name), name).toEqual(["@google-cloud/firestore"]);
  for (const name of ["docs-openapi-users", "docs-openapi-data"]) expect(clientsOf(name), name).toEqual([]);
});

it("no bundle holds a development dependency", () => {
  const Lock = v.object({ packages: v.record(v.string(), v.object({ dev: v.optional(v.boolean(), false) })) });
  const lock = v.parse(Lock, JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const folders = [framework, ...bundles.values()].flatMap(({ sources }) => [...sources.keys()].map((source) => packageOf(source)?.folder));
  const developed = new Set(folders.flatMap((folder) => (folder && lock.packages[relative(root, folder)]?.dev ? [folder] : [])));
  expect([...developed]).toEqual([]);
});

it("every stand-in replaces an existing file", () => {
  const missing = standIns.flatMap(({ package: name, files }) =>
    files.filter((file) => {
      const folders = [
        join(root, "node_modules", name),
        ...globSync(`node_modules/@google-cloud/*/node_modules/${name}`, { cwd: root }).map((path) => join(root, path)),
      ];
      return !folders.some((folder) => existsSync(join(folder, file)));
    }),
  );
  expect(missing).toEqual([]);
});

describe("two copies of the project in different folders", () => {
  const folders = [mkdtempSync(join(tmpdir(), "populus-copy-")), mkdtempSync(join(tmpdir(), "a-copy-elsewhere-"))];
  afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })));

  it("produce identical bundles, regardless of what else is bundled", async () => {
    for (const folder of folders) {
      for (const path of ["functions", "shared", "infra/generated", "infra/countries.json", "package-lock.json", "scripts/image"])
        cpSync(join(root, path), join(folder, path), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    }
    const [some, more] = await Promise.all(
      folders.map(async (folder, index) => {
        const entries = functionEntries(folder).filter(({ name }) =>
          /^(docs-(openapi|page-users)|realtime-(sweep|toggle)|aggregation-sweep)/.test(name),
        );
        const bundles = await makeBundles(folder, index === 0 ? entries : entries.toReversed());
        return new Map(bundles.map(({ name, files }) => [name, sha256(JSON.stringify([...files]))]));
      }),
    );
    expect(some?.size).toBeGreaterThan(4);
    expect(new Map([...(more ?? [])].toReversed())).toEqual(some);
  });
});

it("no function formats a number or a date while it loads: the locale data of Intl takes 9 ms of a cold start", () => {
  const refused = [
    "for (const [owner, name] of [[Number.prototype, 'toLocaleString'], [Date.prototype, 'toLocaleString'], [Intl, 'NumberFormat'],",
    "  [Intl, 'DateTimeFormat'], [Intl, 'Collator'], [String.prototype, 'localeCompare']])",
    "  owner[name] = () => { throw new Error(name + ' while a function loads'); };",
    "await import('./functions/catalogue.ts'); await import('./functions/workers.ts');",
  ].join("\n");
  const { status, stderr } = spawnSync("node", ["--input-type=module", "--eval", refused], { cwd: root, encoding: "utf8" });
  expect(status, stderr).toBe(0);
});
