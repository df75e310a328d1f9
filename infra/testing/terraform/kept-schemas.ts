import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cached } from "../clients/tools/cache-folder.ts";
import { installFromNpm } from "../clients/tools/npm-install.ts";
import { readPackage } from "./cdktf-package.ts";
import { type ProviderSchema, parseProviderSchema } from "./schema.ts";

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
  await installFromNpm(packages, names, ["--legacy-peer-deps"]);
  for (const [source, { name }] of Object.entries(PACKAGES))
    writeFileSync(fileIn(folder, source), JSON.stringify(readPackage(join(packages, "node_modules", name))));
  rmSync(packages, { recursive: true });
}

function fileIn(folder: string, source: string): string {
  return join(folder, `${source.replace("/", "-")}.json`);
}
