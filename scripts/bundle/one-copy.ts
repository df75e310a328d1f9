import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { readLock } from "../packages/lock.ts";
import { type Package, packageOf } from "./package-of.ts";

/**
 * Bundles one copy of packages that npm has installed several times in the same version with the same dependencies. For example, npm
 * installs google-gax for each client that cannot share the top-level one.
 */
export function oneCopy(): Plugin {
  return {
    name: "one-copy",
    setup: (build) => {
      // Chosen before the build: esbuild resolves imports in parallel, so the copy that it meets first differs from run to run.
      const chosen = chosenFolders(build.initialOptions.absWorkingDir ?? ".");
      build.onResolve({ filter: /^[^.]/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === "one-copy" || from.kind === "entry-point") return undefined;
        const found = await build.resolve(path, { ...from, pluginData: "one-copy" });
        const owner = found.namespace === "file" && !found.external ? packageOf(found.path) : undefined;
        if (!owner) return found.errors.length > 0 ? undefined : found;
        const folder = chosen.get(owner.folder) ?? owner.folder;
        return { ...found, path: folder + found.path.slice(owner.folder.length) };
      });
    },
  };
}

/**
 * Returns, for each installed folder of a package, the folder that is bundled instead of it: that of the first copy that is installed
 * for more than development. `root` is the project's folder.
 */
function chosenFolders(root: string): Map<string, string> {
  const { packages } = readLock(pathToFileURL(`${root}/`));
  const modules = dirname(realpathSync(join(root, "node_modules")));
  const installed = Object.keys(packages).filter((path) => path.startsWith("node_modules/") && !packages[path]?.dev);
  const first = new Map<string, string>();
  const chosen = new Map<string, string>();
  for (const folder of installed.sort(byDepthThenName).map((path) => join(modules, path))) {
    // Optional packages of other platforms are not there.
    const owner = existsSync(folder) ? packageOf(folder) : undefined;
    if (!owner) continue;
    const key = identity(owner);
    first.set(key, first.get(key) ?? folder);
    chosen.set(folder, first.get(key) ?? folder);
  }
  return chosen;
}

function byDepthThenName(a: string, b: string): number {
  return depth(a) - depth(b) || (a < b ? -1 : 1);
}

/** Returns in how many `node_modules` folders a package is nested: 1 at the top. */
function depth(folder: string): number {
  return folder.split("node_modules/").length - 1;
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
  return depth(folder) > 1;
}

/** Returns the package that a name resolves to from a folder: the nearest one upwards. */
function installed(name: string, folder: string): Package | undefined {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return packageOf(candidate);
  }
  return undefined;
}
