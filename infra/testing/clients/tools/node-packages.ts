import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "../client.ts";
import { cached } from "./cache-folder.ts";
import { installedOnce } from "./installed-once.ts";
import { installFromNpm } from "./npm-install.ts";

/** Packages from npm in a folder of the cache. They are no dependencies of the project. */
export interface NodePackages extends Tool {
  /** Returns their `node_modules`. */
  folder(): Promise<string>;
}

/**
 * Describes a folder of packages, installed once, without running their scripts.
 * @param packages a file with one `name@version` a line
 */
export function nodePackages(packages: URL): NodePackages {
  const { find, installed } = installedOnce(() => install(readFileSync(packages, "utf8")));
  return { find, folder: installed };
}

async function install(packages: string): Promise<string> {
  const names = packages.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const hash = createHash("sha256").update(packages).digest("hex").slice(0, 16);
  const made = await cached(`node-${hash}`, (folder) => installFromNpm(folder, names));
  return join(made, "node_modules");
}
