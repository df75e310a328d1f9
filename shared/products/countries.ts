import { readFileSync } from "node:fs";
import builtIn from "../../infra/countries.json" with { type: "json" };
import type { CountryTable } from "../countries/country-rules.ts";
import { parseCountries } from "../countries/parse-countries.ts";
import { config } from "../runtime/config.ts";
import { PRODUCTS } from "./catalogue.ts";

let table: CountryTable | undefined;

/** The country rules of this deployment: the built-in table, or the file that the configuration names. Read once. */
export function countries(): CountryTable {
  const file = config().countriesFile;
  table ??=
    file === undefined
      ? parseCountryTable("infra/countries.json", builtIn)
      : parseCountryTable(file, JSON.parse(readFileSync(file, "utf8")));
  return table;
}

/** Parses a table of country rules with what each product offers. Throws an error that names each fault. */
export function parseCountryTable(source: string, json: unknown): CountryTable {
  return parseCountries(source, json, Object.fromEntries(PRODUCTS.map(({ name, offer }) => [name, offer])));
}
