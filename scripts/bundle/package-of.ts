import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";

const PackageJson = v.object({
  name: v.string(),
  version: v.string(),
  license: v.optional(v.string(), "not stated"),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
});

/** An installed package: its folder and what its package.json says. */
export interface Package extends v.InferOutput<typeof PackageJson> {
  readonly folder: string;
}

const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

const packages = new Map<string, Package>();

/** Returns the package of a file (absolute path); undefined for the project's own files. */
export function packageOf(file: string): Package | undefined {
  const folder = FOLDER.exec(file)?.[0];
  if (folder === undefined) return undefined;
  const known = packages.get(folder);
  if (known) return known;
  const read = { folder, ...v.parse(PackageJson, JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))) };
  packages.set(folder, read);
  return read;
}
