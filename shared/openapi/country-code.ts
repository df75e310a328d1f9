import * as v from "valibot";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Node } from "./schemas.ts";

/** An OpenAPI document. */
export const OpenApiDocument = v.pipe(v.record(v.string(), v.unknown()), v.title("OpenApiDocument"));

/** Returns what the schema of a request's country code says of a deployment's countries: their codes and aliases, in any letter case. */
export function countryCodeSchema(countries: CountryTable): Node {
  const codes = Object.entries(countries).flatMap(([code, { aliases }]) => [code, ...aliases]);
  const pattern = codes.map((code) => [...code].map((letter) => `[${letter}${letter.toLowerCase()}]`).join(""));
  return {
    type: "string",
    pattern: `^(${pattern.join("|")})$`,
    description: `ISO 3166-1 alpha-3, or an alias, in any letter case: ${codes.join(", ")}. Left out: the customer's default country`,
    examples: Object.keys(countries).slice(0, 1),
  };
}

/** The part of a document that depends on the deployment. */
export type Document = Record<string, unknown> & { readonly components: Record<string, unknown> & { readonly schemas: object } };

/** Returns an OpenAPI document with the countries of a deployment, which may differ from those that it was generated with. */
export function withCountries(document: Document, countries: CountryTable): Document {
  const { components } = document;
  if (!("CountryCode" in components.schemas)) return document;
  return { ...document, components: { ...components, schemas: { ...components.schemas, CountryCode: countryCodeSchema(countries) } } };
}
