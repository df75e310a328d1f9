import type { Grants } from "../../../shared/accounts/key-grants.ts";
import type { CountryTable } from "../../../shared/countries/country-rules.ts";
import { requireCountries } from "../find.ts";
import { hintFor, UsageError } from "../usage-error.ts";

const NAMED = ["realtime", "warehouse", "machine-account-admin"] as const;
type Named = (typeof NAMED)[number];

/** The scopes that a command names. */
export interface AskedScopes {
  readonly named: readonly Named[];
  readonly countries: readonly string[];
}

/** The help text about scopes. */
export const SCOPES_HELP = `  SCOPE is realtime, warehouse (the key's service profile: both kinds of token), machine-account-admin, or country:CODE.
  Without a LABEL, countries apply to the customer; its keys cannot have others.
`;

/** Parses the scopes of a command. Throws a UsageError that names the known scopes. */
export function askedScopes(words: readonly string[], table: CountryTable): AskedScopes {
  const countries = words.filter(isCountry).map((word) => word.slice("country:".length));
  const named = words
    .filter((word) => !isCountry(word))
    .map((word) => {
      const known = NAMED.find((name) => name === word);
      if (known) return known;
      const hint = hintFor(word, NAMED, `scopes: ${NAMED.join(", ")}, country:CODE`);
      throw new UsageError(`Unknown scope ${JSON.stringify(word)}; ${hint}`);
    });
  return { named, countries: requireCountries(table, countries) };
}

/** Returns whether a word is a country scope. */
export function isCountry(word: string): boolean {
  return word.toLowerCase().startsWith("country:");
}

/** Returns grants with scopes added. */
export function withScopes(grants: Grants, { named, countries }: AskedScopes): Grants {
  return {
    service: named.includes("warehouse") ? "warehouse" : grants.service,
    scopes: named.includes("realtime") ? ["realtime"] : grants.scopes,
    countries: [...new Set([...grants.countries, ...countries])],
    machineAccountAdmin: grants.machineAccountAdmin || named.includes("machine-account-admin"),
  };
}

/** Returns grants with scopes removed. A key without the warehouse profile has the storage profile. */
export function withoutScopes(grants: Grants, { named, countries }: AskedScopes): Grants {
  return {
    service: named.includes("warehouse") ? "storage" : grants.service,
    scopes: named.includes("realtime") ? [] : grants.scopes,
    countries: grants.countries.filter((country) => !countries.includes(country)),
    machineAccountAdmin: grants.machineAccountAdmin && !named.includes("machine-account-admin"),
  };
}
