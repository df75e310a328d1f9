import { readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";

const Entry = v.looseObject({
  version: v.optional(v.string()),
  resolved: v.optional(v.string()),
  integrity: v.optional(v.string()),
  license: v.optional(v.string()),
  dev: v.optional(v.boolean()),
  link: v.optional(v.boolean()),
  hasInstallScript: v.optional(v.boolean()),
  optionalDependencies: v.optional(v.record(v.string(), v.string())),
});

/** A package as the lock file describes it. `dev` means that only tools and tests need it. */
export type LockedPackage = v.InferOutput<typeof Entry>;

const Lock = v.looseObject({ packages: v.record(v.string(), Entry) });

/** The lock file: packages by their path in the project, such as `node_modules/valibot`; the project itself is at "". */
export type LockFile = v.InferOutput<typeof Lock>;

/** Reads package-lock.json. `root` is the project's folder, with a slash at its end. */
export function readLock(root: URL): LockFile {
  return v.parse(Lock, JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8")));
}

/** Writes package-lock.json as npm does: two spaces, packages sorted by their path. */
export function writeLock(root: URL, lock: LockFile): void {
  const packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
  writeFileSync(new URL("package-lock.json", root), `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
}

/** The name of the package at a path: what follows the last `node_modules/`. */
export function nameAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** An optional dependency that the lock file does not hold in full. */
export interface Incomplete {
  readonly path: string;
  readonly name: string;
  /** The version range that its dependent asks for. */
  readonly range: string;
  /** Whether only tools and tests need its dependent. */
  readonly dev: boolean;
}

/**
 * Returns the packages of other platforms that npm left out of the lock file, or wrote without their integrity
 * (https://github.com/npm/cli/issues/4828).
 */
export function incomplete({ packages }: LockFile): Incomplete[] {
  const found = new Map<string, Incomplete>();
  for (const [path, { optionalDependencies = {}, dev = false }] of Object.entries(packages))
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const held = candidates(path, name).find((candidate) => candidate in packages);
      if (held === undefined || packages[held]?.integrity === undefined) {
        const at = held ?? `node_modules/${name}`;
        found.set(at, { path: at, name, range, dev });
      }
    }
  return [...found.values()];
}

/** Returns where Node looks for a dependency of the package at a path, nearest first. */
function candidates(path: string, name: string): string[] {
  const parts = path.split("/node_modules/");
  const above = parts.map((_, index) => `${parts.slice(0, index + 1).join("/node_modules/")}/node_modules/${name}`);
  return [...above.reverse(), `node_modules/${name}`];
}
