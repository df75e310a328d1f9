import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as v from "valibot";
import { type Incomplete, incomplete, type LockedPackage, readLock, writeLock } from "./packages/lock.ts";
import { exitOnHelp, LOCK_FILE_USAGE } from "./usage.ts";

/** What the registry says of one version of a package: the members that npm writes to a lock file. */
const Published = v.object({
  version: v.string(),
  license: v.optional(v.string()),
  cpu: v.optional(v.array(v.string())),
  os: v.optional(v.array(v.string())),
  libc: v.optional(v.array(v.string())),
  engines: v.optional(v.record(v.string(), v.string())),
  hasInstallScript: v.optional(v.boolean()),
  "dist.integrity": v.string(),
});

/**
 * `npm run lock-file` adds what npm leaves out of package-lock.json: packages of other platforms, and their integrity. Exits with 1 if the
 * registry lacks any of them.
 */
exitOnHelp(LOCK_FILE_USAGE, process.argv.slice(2));
const root = new URL("..", import.meta.url);
const run = promisify(execFile);
const lock = readLock(root);
const missing = incomplete(lock);
console.log(missing.length === 0 ? "The lock file is complete" : `Asking the registry for ${missing.length} packages …`);
const unknown: string[] = [];
for (const [index, found] of missing.entries()) {
  const published = await look(found);
  if (published) lock.packages[found.path] = { ...lock.packages[found.path], ...published };
  else unknown.push(found.name);
  console.log(`   ${index + 1}/${missing.length} ${found.name}${published ? "" : ": not in the registry"}`);
}
if (unknown.length < missing.length) {
  writeLock(root, lock);
  console.log("Wrote package-lock.json");
}
if (unknown.length > 0) {
  console.error(`${unknown.length} packages are not in this registry: run this again with one that has the packages of every platform`);
  process.exitCode = 1;
}

/** Returns what the registry says of the newest version in the range; undefined if it has none. */
async function look({ name, range, dev }: Incomplete): Promise<LockedPackage | undefined> {
  const stdout = await view(`${name}@${range}`);
  if (stdout === undefined) return undefined;
  // One version is an object, several are a list, lowest first.
  const answer = v.parse(v.union([Published, v.array(Published)]), JSON.parse(stdout));
  const newest = Array.isArray(answer) ? answer.at(-1) : answer;
  if (newest === undefined) return undefined;
  const { "dist.integrity": integrity, ...rest } = newest;
  return { ...rest, integrity, ...(dev ? { dev } : {}), optional: true };
}

async function view(wanted: string): Promise<string | undefined> {
  try {
    return (await run("npm", ["view", "--json", wanted, ...Object.keys(Published.entries)])).stdout;
  } catch (error) {
    if (error instanceof Error && error.message.includes("E404")) return undefined;
    throw error;
  }
}
