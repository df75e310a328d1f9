import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCountryFile } from "../../scripts/country-file.ts";
import { writeDurably } from "./durable-file.ts";
import { FolderInUse, holdFile, releaseFile } from "./folder-lock.ts";
import type { StartOptions } from "./options.ts";
import { writeFailure } from "./write-failure.ts";

/** For people: the id of the process that uses the folder, or was killed while using it. It also marks the folder as ours to empty. */
const MARKER = "service.pid";
/** The lock of the process that uses the folder. An id alone may belong to a dead process, or to another one by now. */
const LOCK = "service.lock";
/** The country rules that a data folder stores. */
const KEPT_COUNTRIES = "countries.json";

/**
 * Creates the state folder, locks it for this process and removes the files of an earlier run. Throws a one-line error if it is not
 * writable, a running service uses it, or the files to remove are not ours.
 */
export async function prepareState(directory: string): Promise<void> {
  const marker = join(directory, MARKER);
  const storage = join(directory, "storage");
  try {
    makeFolder(directory);
    await holdFile(join(directory, LOCK), 0);
    if (existsSync(storage) && !existsSync(marker))
      throw new Refusal(`${storage} was not created by this service and would be emptied; choose another folder with --state DIR`);
    writeFileSync(marker, String(process.pid), { mode: 0o600 });
    rmSync(join(directory, "ready.json"), { force: true });
    for (const name of ["cloud.log", "functions.log"]) writeFileSync(join(directory, name), "", { mode: 0o600 });
    rmSync(storage, { recursive: true, force: true });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof FolderInUse) {
      const process = error.holder === undefined ? "" : ` (process ${error.holder})`;
      throw new Error(`A service runs in ${directory} already${process}; stop it, or choose another folder with --state DIR`);
    }
    const failure = writeFailure(error);
    if (failure === undefined) throw error;
    throw new Error(`The folder ${directory} cannot be written (${failure}); choose another one with --state DIR`);
  }
}

/** Releases the folder at the end of a run. Files that a later start can use are kept. */
export function leaveState(directory: string): void {
  rmSync(join(directory, "ready.json"), { force: true });
  rmSync(join(directory, "tmp"), { recursive: true, force: true });
  writeFileSync(join(directory, MARKER), "", { mode: 0o600 });
  releaseFile(join(directory, LOCK));
}

/** Creates a folder and its parents. Node's own way never ends where a parent exists and takes no folders, as in `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start may make the same parent.
    if (writeFailure(error) !== "EEXIST") throw error;
  }
}

class Refusal extends Error {}

/**
 * Merges the built-in country rules, those of the data folder and those of the given file, and returns the merged file. Later rules of a
 * country replace earlier ones.
 */
export function mergeCountries(options: StartOptions): string {
  const { stateDirectory } = options;
  const builtIn: object = JSON.parse(readFileSync(new URL("../countries.json", import.meta.url), "utf8"));
  const merged = { ...builtIn, ...ownCountries(options) };
  const file = join(stateDirectory, "countries.json");
  writeFileSync(file, `${JSON.stringify(merged, undefined, 2)}\n`);
  return file;
}

/** Stores the rules of the given file in the data folder, so that a start without the file has them too. The caller must hold its lock. */
export function keepCountries(options: StartOptions): void {
  const { dataDirectory, countriesFile } = options;
  if (dataDirectory === undefined || countriesFile === undefined) return;
  writeDurably(join(dataDirectory, KEPT_COUNTRIES), `${JSON.stringify(ownCountries(options), undefined, 2)}\n`);
}

function ownCountries({ dataDirectory, countriesFile }: StartOptions): object {
  const kept = dataDirectory === undefined ? undefined : join(dataDirectory, KEPT_COUNTRIES);
  return {
    ...(kept !== undefined && existsSync(kept) ? readCountryFile(kept, kept).json : {}),
    ...(countriesFile === undefined ? {} : readCountryFile(`--countries ${countriesFile}`, countriesFile).json),
  };
}
