import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneCopy } from "./one-copy.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "populus-one-copy-")));

const packages: Record<string, object> = {};

/** Installs a package that requires its dependencies. */
function install(folder: string, version: string, dependencies: Readonly<Record<string, string>> = {}, dev = false): void {
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const imports = Object.keys(dependencies).map((dependency) => `require("${dependency}");`);
  packages[folder] = dev ? { version, dev } : { version };
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "package.json"), JSON.stringify({ name, version, dependencies }));
  writeFileSync(join(root, folder, "index.js"), `${imports.join("")} exports.version = "${version}";`);
}

/** Returns the files of packages in the bundle of an entry that imports some packages. */
async function bundled(...names: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: names.map((name) => `require("${name}");`).join(""), resolveDir: root },
    bundle: true,
    platform: "node",
    write: false,
    metafile: true,
    plugins: [oneCopy()],
  });
  return Object.keys(metafile.inputs)
    .filter((path) => path.includes("node_modules"))
    .map(dirname)
    .sort();
}

beforeAll(() => {
  install("node_modules/0", "1.0.0", { gax: "5" }, true);
  install("node_modules/0/node_modules/gax", "5.0.0", { json: "2" }, true);
  install("node_modules/a", "1.0.0", { gax: "5" });
  install("node_modules/b", "1.0.0", { gax: "5" });
  install("node_modules/c", "1.0.0", { gax: "4" });
  install("node_modules/d", "1.0.0", { gax: "5", json: "1" });
  install("node_modules/a/node_modules/gax", "5.0.0", { json: "2" });
  install("node_modules/b/node_modules/gax", "5.0.0", { json: "2" });
  install("node_modules/c/node_modules/gax", "4.0.0", { json: "2" });
  install("node_modules/d/node_modules/gax", "5.0.0", { json: "2" });
  install("node_modules/json", "2.0.0");
  install("node_modules/d/node_modules/json", "1.0.0");
  packages["node_modules/of-another-platform"] = { version: "1.0.0", optional: true };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("a package that is installed several times", () => {
  it("is bundled from the first folder that is not for development, whichever copy the bundle meets", async () => {
    const gax = "node_modules/a/node_modules/gax";
    expect(await bundled("a")).toEqual(["node_modules/a", gax, "node_modules/json"]);
    expect(await bundled("b")).toEqual([gax, "node_modules/b", "node_modules/json"]);
    expect(await bundled("b", "a")).toEqual(["node_modules/a", gax, "node_modules/b", "node_modules/json"]);
  });

  it("is bundled as it is in another version", async () => {
    expect(await bundled("c")).toEqual(["node_modules/c", "node_modules/c/node_modules/gax", "node_modules/json"]);
  });

  it("is bundled as it is if its dependencies are other versions there", async () => {
    expect(await bundled("d")).toEqual(["node_modules/d", "node_modules/d/node_modules/gax", "node_modules/d/node_modules/json"]);
  });
});
