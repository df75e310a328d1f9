import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCountries } from "../../shared/schemas/country-rules.ts";
import type { StartOptions } from "./options.ts";

/** Makes the folder of a run and empties what an earlier one left. Throws one line when it cannot be written. */
export function prepareState(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    rmSync(join(directory, "ready.json"), { force: true });
    for (const name of ["cloud.log", "functions.log"]) writeFileSync(join(directory, name), "", { mode: 0o600 });
    rmSync(join(directory, "storage"), { recursive: true, force: true });
  } catch (error) {
    throw new Error(`The folder ${directory} cannot be written (${codeOf(error)}); --state DIR names another one`);
  }
}

/** The built-in rules and those of the file given; one that names a country again replaces it. */
export function mergeCountries({ stateDirectory, countriesFile }: StartOptions): string {
  const builtIn: object = JSON.parse(readFileSync(new URL("../countries.json", import.meta.url), "utf8"));
  const merged = { ...builtIn, ...(countriesFile === undefined ? {} : readCountries(countriesFile)) };
  const file = join(stateDirectory, "countries.json");
  writeFileSync(file, `${JSON.stringify(merged, undefined, 2)}\n`);
  return file;
}

function readCountries(file: string): object {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`--countries ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  parseCountries(file, json);
  return Object(json);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
