import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tool } from "../client.ts";
import { mustRun } from "./run-program.ts";

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** npm's packages are those of the project, which are always there. */
export const npmPackages: Tool = { find: async () => ({ found: true }) };

/** Runs a module of JavaScript in a folder, with npm's packages beside it, and returns what it printed. Throws an Error if it fails. */
export async function runModule(text: string, folder: string, environment: Readonly<Record<string, string>>): Promise<string> {
  symlinkSync(MODULES, join(folder, "node_modules"));
  const { stdout } = await mustRun(process.execPath, ["--input-type=module", "--eval", text], { folder, environment });
  return stdout;
}
