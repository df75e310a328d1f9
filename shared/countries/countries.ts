import { readFileSync } from "node:fs";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { config } from "../runtime/config.ts";
import type { CountryTable } from "./country-rules.ts";
import { parseCountries } from "./parse-countries.ts";

let table: CountryTable | undefined;

/** Returns the country rules of this deployment: the built-in table, or the configured file. Reads them once. */
export function countries(): CountryTable {
  const file = config().countriesFile;
  table ??=
    file === undefined ? parseCountries("infra/countries.json", builtIn) : parseCountries(file, JSON.parse(readFileSync(file, "utf8")));
  return table;
}
