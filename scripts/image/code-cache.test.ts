import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Module } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import * as v from "valibot";
import { beforeAll, expect, it } from "vitest";
import { FRAMEWORK_FILE } from "../bundle/build.ts";
import { type Files, makeBundles, START_FILE } from "../bundle/bundles.ts";
import { functionEntries } from "../bundle/functions.ts";
import { fillCodeCache, imageEnvironment, removeFolder, unpack } from "../bundle/testing/running-bundle.ts";

/** Functions whose first request in the build of the image finds a customer's documents, or rows. */
const ANSWERED = [
  ...["aggregation-estimate", "aggregation-preview", "availability-list", "geographies-find"],
  ...["maps-show", "realtime-toggle", "aggregation-results", "aggregation-urls", "customers-request-dataset"],
];
const bundles = new Map<string, Files>();

beforeAll(async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const entries = functionEntries(root).filter(({ name }) => ["customers-me", "maps-list", ...ANSWERED].includes(name));
  for (const { name, files } of await makeBundles(root, entries)) bundles.set(name, files);
});

function filesOf(name: string): Files {
  const files = bundles.get(name);
  if (!files) throw new Error(`There is no bundle of ${name}`);
  return files;
}

it("the image is built with the bytecode of a function and its framework, and not with a function that does not start", async () => {
  const folder = unpack(filesOf("customers-me"));
  try {
    const started = (...flags: readonly string[]) => {
      // Without its configuration it ends once it is loaded.
      const program = [...flags, START_FILE, "--target=customers-me", "--source=customers-me.cjs"];
      const { PATH } = process.env;
      return spawnSync("node", program, { cwd: folder, encoding: "utf8", env: { PATH, ...imageEnvironment(folder) } }).stderr;
    };
    expect(await fillCodeCache(folder, "customers-me")).toContain("customers-me: 200\n");
    for (const file of [FRAMEWORK_FILE, "customers-me.cjs"]) {
      const loaded = new Script(Module.wrap(readFileSync(join(folder, file), "utf8"))).createCachedData();
      const cached = statSync(join(imageEnvironment(folder).CODE_CACHE ?? "", "customers-me.cjs", file));
      // Functions that ran are in it, not only what loads them.
      expect(cached.size, file).toBeGreaterThan(3 * loaded.length);
    }
    expect(started()).not.toContain("is compiled anew");
    // V8 takes no bytecode that was made with other flags.
    expect(started("--no-opt")).toContain("customers-me.cjs is compiled anew");
    writeFileSync(join(folder, "broken.cjs"), `throw new Error("broken");`);
    await expect(fillCodeCache(folder, "broken")).rejects.toThrow("broken does not start");
  } finally {
    removeFolder(folder);
  }
});

it("the image is built with the bytecode of a function where another program has its port, and answers", async () => {
  const other = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = v.parse(v.object({ port: v.number() }), other.address());
  const folder = unpack(filesOf("customers-me"));
  try {
    await fillCodeCache(folder, "customers-me", port);
    expect(statSync(join(imageEnvironment(folder).CODE_CACHE ?? "", "customers-me.cjs", FRAMEWORK_FILE)).size).toBeGreaterThan(0);
  } finally {
    removeFolder(folder);
    other.close();
  }
});

it("a function that cannot start says why in one line of the log, without its code", () => {
  const folder = unpack(filesOf("maps-list"));
  const program = [START_FILE, "--target=maps-list", "--source=maps-list.cjs"];
  const { PATH } = process.env;
  const { status, stderr } = spawnSync("node", program, { cwd: folder, encoding: "utf8", env: { PATH, ENVIRONMENT: "staging" } });
  removeFolder(folder);
  expect(status).toBe(1);
  const line = v.parse(v.object({ severity: v.string(), message: v.string() }), JSON.parse(stderr));
  expect(line.severity).toBe("CRITICAL");
  expect(line.message).toMatch(/^maps-list\.cjs does not start: Error: Environment variables are missing or invalid:\n/);
  expect(line.message).toContain("\n  EXPORT_BUCKET: missing\n");
  expect(line.message).toMatch(/\n {2}ENVIRONMENT: Invalid type: Expected .+ but received "staging"\n/);
  expect(line.message.length).toBeLessThan(4096);
});

it.each(ANSWERED)("the bytecode of %s is made with an answer of BigQuery, and with the documents of a customer", async (name) => {
  const folder = unpack(filesOf(name));
  try {
    expect(await fillCodeCache(folder, name)).toContain(`${name}: 200\n`);
  } finally {
    removeFolder(folder);
  }
});
