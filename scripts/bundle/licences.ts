import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Package, packageOf } from "./package-of.ts";

const LICENCE_FILE = /^(licen[cs]e|notice|copying)(\.\w+)?$|^swagger-ui-bundle\.js\.license\.txt$/i;

/** Returns the licences, with texts, of all packages whose code is in a bundle. Most licences require this of redistribution. */
export function licences(sources: Iterable<string>): string {
  const packages = new Map<string, Package>();
  for (const source of sources) {
    const owner = packageOf(source);
    if (owner) packages.set(`${owner.name} ${owner.version}`, owner);
  }
  const parts = [...packages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, owner]) => `${title} (${owner.license})\n\n${textsOf(owner)}`);
  return `This image holds code of these packages.\n\n${parts.join(`\n${"=".repeat(80)}\n\n`)}`;
}

function textsOf({ folder }: Package): string {
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files.sort().map((file) => `${readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim()}\n`);
  return texts.length > 0 ? texts.join("\n") : "The package brings no text of its licence.\n";
}
