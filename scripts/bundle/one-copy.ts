import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";
import { type Package, packageOf } from "./package-of.ts";

/**
 * Bundles one copy of packages that npm has installed several times in one version, whose dependencies are the same too: google-gax is there
 * once for each client that could not share the one at the top.
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

/** Name and version of a package, and of all that it would load: two with the same are one. */
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

/** Whether a package lies below another one, so that what it loads depends on where. */
function hasOwn({ folder }: Package): boolean {
  return folder.split("/node_modules/").length > 2;
}

/** What a package loads under a name: the nearest folder upwards that has it. */
function installed(name: string, folder: string): Package | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return packageOf(candidate);
  }
  return undefined;
}
