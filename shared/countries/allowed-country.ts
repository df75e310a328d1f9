import * as v from "valibot";
import type { Caller } from "../http/caller.ts";
import type { RawRequest } from "../http/define-endpoint.ts";
import { type FieldError, invalidFields, ServiceError } from "../http/errors.ts";
import { type CountryRules, type CountryTable, resolveCountry } from "./country-rules.ts";

/**
 * Returns the requested country, or the customer's default, with its rules. Throws `invalid_argument` at `pointer` for an unknown country,
 * and `permission_denied` for a country that the key does not cover.
 */
export function allowedCountry(
  requested: string | undefined,
  caller: Caller,
  table: CountryTable,
  pointer = "/country_code",
): readonly [code: string, rules: CountryRules] {
  const code = resolveCountry(table, requested ?? caller.defaultCountry);
  const rules = code === undefined ? undefined : table[code];
  if (code === undefined || !rules) throw invalidFields([unknownCountry(pointer, table)]);
  if (!caller.countries.includes(code))
    throw new ServiceError(
      "permission_denied",
      `This key does not cover ${code}; it covers ${caller.countries.join(", ") || "no country"}`,
    );
  return [code, rules];
}

const Named = v.object({ country_code: v.optional(v.string()), country: v.optional(v.string()) });

/** Returns an error for each country in the query or body of a request that is not in the table. */
export function unknownCountries({ query, body }: RawRequest, table: CountryTable): FieldError[] {
  return [query, body].flatMap((part) => {
    const parsed = v.safeParse(Named, part);
    if (!parsed.success) return [];
    const unknown = Object.entries(parsed.output).filter(([, code]) => code !== undefined && resolveCountry(table, code) === undefined);
    return unknown.map(([name]) => unknownCountry(`/${name}`, table));
  });
}

function unknownCountry(pointer: string, table: CountryTable): FieldError {
  const allowed = Object.keys(table);
  return { pointer, detail: `must be one of ${allowed.join(", ")}`, allowed };
}
