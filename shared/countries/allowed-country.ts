import type { Caller } from "../http/caller.ts";
import { invalidFields, ServiceError } from "../http/errors.ts";
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
  if (code === undefined || !rules) {
    const allowed = Object.keys(table);
    throw invalidFields([{ pointer, detail: `must be one of ${allowed.join(", ")}`, allowed }]);
  }
  if (!caller.countries.includes(code))
    throw new ServiceError(
      "permission_denied",
      `This key does not cover ${code}; it covers ${caller.countries.join(", ") || "no country"}`,
    );
  return [code, rules];
}
