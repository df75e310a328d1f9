import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cached, isCached } from "../clients/tools/cache-folder.ts";
import { mustRun } from "../clients/tools/run-program.ts";
import { readPackage } from "./cdktf-package.ts";
import { type ProviderSchema, parseProviderSchema } from "./schema.ts";

const INSTALL_SECONDS_MAX = 600;

/** The providers of the project's Terraform, and where their schemas are read from: packages of npm that CDKTF generated (MPL-2.0). */
const PACKAGES = {
  "hashicorp/google": { name: "@cdktf/provider-google", version: "16.12.1" },
  "hashicorp/time": { name: "@cdktf/provider-time", version: "11.0.1" },
} as const;

const SOURCES = Object.keys(PACKAGES);
/** What is kept depends on the packages and on how they are read: raise this when the reading changes. */
const READING = 1;
const KEPT = `terraform-schemas-${createHash("sha256")
  .update(JSON.stringify([READING, PACKAGES]))
  .digest("hex")
  .slice(0, 16)}`;

/** Whether the schemas are in the user's cache already: nothing has to be downloaded. */
export function areSchemasKept(): boolean {
  return isCached(KEPT);
}

/**
 * Returns the schemas of the providers by source, as `required_providers` names them. They are read once, from packages that are downloaded and removed
 * again, and kept in the user's cache. Throws an Error if the packages cannot be had.
 */
export async function keptSchemas(): Promise<Readonly<Record<string, ProviderSchema>>> {
  const folder = await cached(KEPT, fill);
  return Object.fromEntries(SOURCES.map((source) => [source, parseProviderSchema(readFileSync(fileIn(folder, source), "utf8"))]));
}

async function fill(folder: string): Promise<void> {
  const packages = join(folder, "packages");
  const names = Object.values(PACKAGES).map(({ name, version }) => `${name}@${version}`);
  // Without the packages that these would run with: they are only read.
  const options = ["--prefix", packages, "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
  await mustRun("npm", ["install", ...options, ...names], { folder: tmpdir(), secondsMax: INSTALL_SECONDS_MAX });
  for (const [source, { name }] of Object.entries(PACKAGES))
    writeFileSync(fileIn(folder, source), JSON.stringify(readPackage(join(packages, "node_modules", name))));
  rmSync(packages, { recursive: true });
}

function fileIn(folder: string, source: string): string {
  return join(folder, `${source.replace("/", "-")}.json`);
}
