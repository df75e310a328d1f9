import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLock } from "./packages/lock.ts";
import { printTable } from "./table.ts";
import { BUNDLE_USAGE, exitOnHelp } from "./usage.ts";

/**
 * `npm run bundle` writes what the image of all functions is built from to `dist/image`, and `dist/manifest.json` with the image's tag and
 * the functions' hashes and sizes, to compare builds. `dist/sbom.cdx.json` lists the packages in them. `dist/console` is the web console
 * (terraform/modules/console).
 */
exitOnHelp(BUNDLE_USAGE, process.argv.slice(2));
// Loading the catalogue takes a second, which --help need not wait for.
const [{ makeBundles, sha256 }, { functionEntries, SMOKE_ENTRY }, { imageFiles, imageTag }, { sbom }, { buildConsole, writeConsole }] =
  await Promise.all([
    import("./bundle/bundles.ts"),
    import("./bundle/functions.ts"),
    import("./bundle/image.ts"),
    import("./bundle/sbom.ts"),
    import("./console/build.ts"),
  ]);
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const startedAt = performance.now();
const entries = [...functionEntries(root), SMOKE_ENTRY];
console.log(`Bundling ${entries.length - 1} functions …`);

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "image"), { recursive: true });
const bundles = await makeBundles(root, entries);
const image = imageFiles(root, bundles);
for (const [path, content] of image) writeFileSync(join(dist, "image", path), content);
const webConsole = await buildConsole(root);
writeConsole(join(dist, "console"), webConsole.files);
const functions = bundles.map(({ name, files }) => {
  const code = files.get(`${name}.cjs`) ?? "";
  return { name, sha256: sha256(code), bytes: Buffer.byteLength(code) };
});
writeFileSync(join(dist, "manifest.json"), `${JSON.stringify({ image: imageTag(image), functions }, undefined, 2)}\n`);
writeFileSync(
  join(dist, "sbom.cdx.json"),
  sbom([...bundles, { name: "console", ...webConsole }], readLock(new URL("..", import.meta.url))),
);

console.log("");
printTable(
  bundles.map(({ name, packages }, index) => ({
    function: name,
    KiB: kib(functions[index]?.bytes ?? 0),
    "largest packages (KiB)": packages
      .slice(0, 5)
      .map(([packageName, size]) => `${packageName} ${kib(size)}`)
      .join(", "),
  })),
);
console.log(
  `\nWrote ${image.size} files for the image of ${bundles.length - 1} functions, manifest.json and sbom.cdx.json to ${dist} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
);

function kib(bytes: number): number {
  return Math.ceil(bytes / 1024);
}
