import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bundled, bundleEntries, bundleFramework, FRAMEWORK_FILE } from "./build.ts";
import type { Entry } from "./functions.ts";
import { licences } from "./licences.ts";
import { packageOf } from "./package-of.ts";

/** The files of a bundle: content by path. */
export type Files = ReadonlyMap<string, string>;

/** One function, as it is deployed. */
export interface Bundle {
  readonly name: string;
  /** All that the function needs: itself (`NAME.cjs`), the framework, the program that starts both, and the licences of the packages in them. */
  readonly files: Files;
  /**
   * Bytes of its code by package, largest first; `populus` is the project itself. The framework, which every function has, is not
   * counted.
   */
  readonly packages: readonly (readonly [name: string, bytes: number])[];
  /** The files that its code comes from (absolute paths), the framework's too. */
  readonly sources: readonly string[];
}

/** The program that starts a function. */
export const START_FILE = "start.cjs";
/** The texts of the licences of packages whose code is among the files. */
export const LICENCES_FILE = "LICENSES.txt";

/** Bundles entries. `root` is the project's folder. The same sources give the same bytes on any machine. */
export async function makeBundles(root: string, entries: readonly Entry[]): Promise<Bundle[]> {
  const [framework, functions] = await Promise.all([bundleFramework(root), bundleEntries(root, entries)]);
  const start = readFileSync(join(root, "scripts/image", START_FILE), "utf8");
  return [...functions].map(([name, bundled]) => bundle(name, bundled, framework, start));
}

function bundle(name: string, bundled: Bundled, framework: Bundled, start: string): Bundle {
  const sources = [...bundled.sources.keys(), ...framework.sources.keys()];
  const files = new Map([
    [`${name}.cjs`, bundled.code],
    [FRAMEWORK_FILE, framework.code],
    [START_FILE, start],
    [LICENCES_FILE, licences(sources)],
  ]);
  return { name, files, packages: byPackage(bundled), sources };
}

function byPackage({ sources }: Bundled): [string, number][] {
  const sums = new Map<string, number>();
  for (const [source, bytes] of sources) {
    const name = packageOf(source)?.name ?? "populus";
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  return [...sums].filter(([, bytes]) => bytes > 0).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

export function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}
