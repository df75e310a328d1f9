import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Archive } from "./bundle/archives.ts";
import { readLock } from "./packages/lock.ts";
import { printTable } from "./table.ts";
import { BUNDLE_USAGE, exitOnHelp } from "./usage.ts";

/**
 * `npm run bundle` writes one archive per function of `infra/generated/functions.json` to `dist`, and `dist/manifest.json` with their
 * hashes and sizes, to compare builds. Terraform hashes the archives itself (terraform/modules/function/source.tf). `dist/sbom.cdx.json`
 * lists the packages in them. `dist/console` is the web console (terraform/modules/console).
 */
exitOnHelp(BUNDLE_USAGE, process.argv.slice(2));
// Loading the catalogue takes a second, which --help need not wait for.
const [{ makeArchives }, { functionEntries }, { sbom }, { buildConsole, writeConsole }] = await Promise.all([
  import("./bundle/archives.ts"),
  import("./bundle/functions.ts"),
  import("./bundle/sbom.ts"),
  import("./console/build.ts"),
]);
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const startedAt = performance.now();
const entries = functionEntries(root);
console.log(`Bundling ${entries.length} functions …`);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const archives: Archive[] = [];
for await (const archive of makeArchives(root, entries)) {
  writeFileSync(join(dist, `${archive.name}.zip`), archive.bytes);
  archives.push(archive);
  console.log(`   ${archives.length}/${entries.length} ${archive.name}`);
}
const webConsole = await buildConsole(root);
writeConsole(join(dist, "console"), webConsole.files);
const manifest = archives.map(({ name, sha256, bytes }) => ({ name, file: `${name}.zip`, sha256, bytes: bytes.length }));
writeFileSync(join(dist, "manifest.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
writeFileSync(
  join(dist, "sbom.cdx.json"),
  sbom([...archives, { name: "console", ...webConsole }], readLock(new URL("..", import.meta.url))),
);

console.log("");
printTable(
  archives.map(({ name, files, bytes, packages }) => ({
    function: name,
    "unpacked KiB": kib([...files.values()].reduce((sum, content) => sum + Buffer.byteLength(content), 0)),
    "zip KiB": kib(bytes.length),
    "largest packages (KiB)": packages
      .slice(0, 5)
      .map(([packageName, size]) => `${packageName} ${kib(size)}`)
      .join(", "),
  })),
);
console.log(
  `\nWrote ${archives.length} archives, manifest.json and sbom.cdx.json to ${dist} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
);

function kib(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
