import { readFileSync } from "node:fs";
import type { CountryTable } from "../shared/countries/country-rules.ts";
import { parseCountryTable } from "../shared/products/countries.ts";
import { messageOf } from "../shared/runtime/error-message.ts";

/** The rules of a file, as they are written and as they are understood. */
interface CountryFile {
  readonly json: object;
  readonly countries: CountryTable;
}

/**
 * Reads a file of country rules. Throws an Error that says what is wrong with it.
 * @param name how the file was given, for example `--countries rules.json`
 */
export function readCountryFile(name: string, file: string | URL): CountryFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(code === "ENOENT" ? `${name}: there is no such file` : `${name} cannot be read (${code})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const message = messageOf(error);
    // Node appends the beginning of the file and repeats what is said here.
    throw new Error(`${name} is not valid JSON: ${message.replace(/, (?:\.{3})?"[\s\S]*is not valid JSON$/, "")}`);
  }
  return { countries: parseCountryTable(name, json), json: Object(json) };
}
