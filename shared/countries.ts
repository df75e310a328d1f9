import { readFileSync } from "node:fs";
import builtIn from "../infra/countries.json" with { type: "json" };
import { config } from "./config.ts";
import type { CountryTable } from "./domain/country-rules.ts";
import { parseCountries } from "./schemas/country-rules.ts";

let table: CountryTable | undefined;

/** The country rules of this deployment: the built-in table, or the file that the configuration names. Read once. */
export function countries(): CountryTable {
  const file = config().countriesFile;
  table ??=
    file === undefined ? parseCountries("infra/countries.json", builtIn) : parseCountries(file, JSON.parse(readFileSync(file, "utf8")));
  return table;
}
