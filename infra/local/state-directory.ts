import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { writeDurably } from "./durable-file.ts";
import { FolderInUse, holdFile, releaseFile } from "./folder-lock.ts";
import type { StartOptions } from "./options.ts";

/** For people: the id of the process that serves from the folder, or did when it was killed. It also tells that the folder is ours to empty. */
const MARKER = "service.pid";
/** What the process that serves from the folder holds: an id alone may be that of a process that is gone, or of another one by now. */
const LOCK = "service.lock";
/** The rules of countries that a data folder was given. */
const KEPT_COUNTRIES = "countries.json";

/**
 * Makes the folder of a run, takes it for this process and empties what an earlier one left. Throws one line when it cannot be written, a
 * running service has it, or what is to be emptied is not ours.
 */
export async function prepareState(directory: string): Promise<void> {
  const marker = join(directory, MARKER);
  const storage = join(directory, "storage");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await holdFile(join(directory, LOCK), 0);
    if (existsSync(storage) && !existsSync(marker))
      throw new Refusal(`${storage} was not made by this service and would be emptied; name another folder with --state DIR`);
    writeFileSync(marker, String(process.pid), { mode: 0o600 });
    rmSync(join(directory, "ready.json"), { force: true });
    for (const name of ["cloud.log", "functions.log"]) writeFileSync(join(directory, name), "", { mode: 0o600 });
    rmSync(storage, { recursive: true, force: true });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof FolderInUse) {
      const process = error.holder === undefined ? "" : ` (process ${error.holder})`;
      throw new Error(`A service runs in ${directory} already${process}; stop it, or name another folder with --state DIR`);
    }
    throw new Error(`The folder ${directory} cannot be written (${codeOf(error)}); --state DIR names another one`);
  }
}

/** Gives the folder back at the end of a run: what a later start may keep stays. */
export function leaveState(directory: string): void {
  rmSync(join(directory, "ready.json"), { force: true });
  rmSync(join(directory, "tmp"), { recursive: true, force: true });
  writeFileSync(join(directory, MARKER), "", { mode: 0o600 });
  releaseFile(join(directory, LOCK));
}

class Refusal extends Error {}

/** The built-in rules, those that the data folder keeps, and those of the file given; one that names a country again replaces it. */
export function mergeCountries(options: StartOptions): string {
  const { stateDirectory } = options;
  const builtIn: object = JSON.parse(readFileSync(new URL("../countries.json", import.meta.url), "utf8"));
  const merged = { ...builtIn, ...ownCountries(options) };
  const file = join(stateDirectory, "countries.json");
  writeFileSync(file, `${JSON.stringify(merged, undefined, 2)}\n`);
  return file;
}

/** Keeps the rules of the file given in the data folder, whose lock must be held: a start without the file has them too. */
export function keepCountries(options: StartOptions): void {
  const { dataDirectory, countriesFile } = options;
  if (dataDirectory === undefined || countriesFile === undefined) return;
  writeDurably(join(dataDirectory, KEPT_COUNTRIES), `${JSON.stringify(ownCountries(options), undefined, 2)}\n`);
}

function ownCountries({ dataDirectory, countriesFile }: StartOptions): object {
  const kept = dataDirectory === undefined ? undefined : join(dataDirectory, KEPT_COUNTRIES);
  return {
    ...(kept !== undefined && existsSync(kept) ? readCountries(kept) : {}),
    ...(countriesFile === undefined ? {} : readCountries(countriesFile)),
  };
}

function readCountries(file: string): object {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`--countries ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  parseCountryTable(file, json);
  return Object(json);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : (String(error).split("\n")[0] ?? "");
}
