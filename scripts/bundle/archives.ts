import { type Files, sha256, zip } from "./archive.ts";
import { type Bundled, bundleEntries, bundleFramework, FRAMEWORK_FILE, frameworkVersion } from "./build.ts";
import type { Entry } from "./functions.ts";
import { licences } from "./licences.ts";
import { packageFiles } from "./package-files.ts";
import { packageOf } from "./package-of.ts";

/** The archive of one function. */
export interface Archive {
  readonly name: string;
  readonly files: Files;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /**
   * Bytes of its code by package, largest first; `populus` is the project itself. The framework, which every archive has, is not
   * counted.
   */
  readonly packages: readonly (readonly [name: string, bytes: number])[];
  /** The files that its code comes from (absolute paths), the framework's too. */
  readonly sources: readonly string[];
}

/** Creates the archives of entries one by one, in order. `root` is the project's folder. */
export async function* makeArchives(root: string, entries: readonly Entry[]): AsyncGenerator<Archive> {
  const [framework, functions] = await Promise.all([bundleFramework(root), bundleEntries(root, entries)]);
  const version = frameworkVersion(root);
  for (const [name, bundled] of functions) yield archive(name, bundled, framework, version);
}

function archive(name: string, bundled: Bundled, framework: Bundled, version: string): Archive {
  const sources = [...bundled.sources.keys(), ...framework.sources.keys()];
  const files = new Map([
    ...packageFiles(name, version),
    ["index.cjs", bundled.code],
    [FRAMEWORK_FILE, framework.code],
    ["LICENSES.txt", licences(sources)],
  ]);
  const bytes = zip(files);
  return { name, files, bytes, sha256: sha256(bytes), packages: byPackage(bundled), sources };
}

function byPackage({ sources }: Bundled): [string, number][] {
  const sums = new Map<string, number>();
  for (const [source, bytes] of sources) {
    const name = packageOf(source)?.name ?? "populus";
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  return [...sums].filter(([, bytes]) => bytes > 0).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
