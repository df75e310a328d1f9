import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { type Package, packageOf } from "./package-of.ts";

/**
 * Bundles one copy of packages that npm has installed several times in the same version with the same dependencies. For example, npm
 * installs google-gax for each client that cannot share the top-level one.
 */
export function oneCopy(): Plugin {
  const first = new Map<string, string>();
  return {
    name: "one-copy",
    setup: (build) => {
      build.onResolve({ filter: /^[^.]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "one-copy" || from.kind === "entry-point") return undefined;
        const found = await build.resolve(path, { ...from, pluginData: "one-copy" });
        const owner = found.namespace === "file" && !found.external ? packageOf(found.path) : undefined;
        if (!owner) return found.errors.length > 0 ? undefined : found;
        const key = identity(owner);
        const folder = first.get(key) ?? owner.folder;
        first.set(key, folder);
        return { ...found, path: folder + found.path.slice(owner.folder.length) };
      });
    },
  };
}

/** Returns a key of a package: its name and version, and those of its dependencies. Packages with the same key are interchangeable. */
function identity(owner: Package, seen: readonly string[] = []): string {
  const dependencies = Object.keys(owner.dependencies)
    .sort()
    .flatMap((name) => {
      const dependency = installed(name, owner.folder);
      return dependency === undefined || seen.includes(dependency.folder)
        ? []
        : [`${dependency.name}@${dependency.version}${hasOwn(dependency) ? identity(dependency, [...seen, owner.folder]) : ""}`];
    });
  return `${owner.name}@${owner.version}(${dependencies.join()})`;
}

/** Returns whether a package is nested in another one, so that its dependencies depend on its position. */
function hasOwn({ folder }: Package): boolean {
  return folder.split("/node_modules/").length > 2;
}

/** Returns the package that a name resolves to from a folder: the nearest one upwards. */
function installed(name: string, folder: string): Package | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return packageOf(candidate);
  }
  return undefined;
}
