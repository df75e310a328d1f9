import type { CountryTable } from "../countries/country-rules.ts";
import { parseCountries } from "../countries/parse-countries.ts";
import { PRODUCTS } from "./catalogue.ts";

/** Parses a table of country rules, including what each product offers. Throws an error that lists everything wrong. */
export function parseCountryTable(source: string, json: unknown): CountryTable {
  return parseCountries(source, json, Object.fromEntries(PRODUCTS.map(({ name, offer }) => [name, offer])));
}
