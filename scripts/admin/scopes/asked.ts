import type { Grants } from "../../../shared/accounts/key-grants.ts";
import type { CountryTable } from "../../../shared/countries/country-rules.ts";
import { closestName } from "../../../shared/http/closest-name.ts";
import { requireCountries } from "../find.ts";
import { UsageError } from "../usage-error.ts";

const NAMED = ["realtime", "warehouse", "machine-account-admin"] as const;
type Named = (typeof NAMED)[number];

/** The scopes that a command names. */
export interface AskedScopes {
  readonly named: readonly Named[];
  readonly countries: readonly string[];
}

/** What the help of `scopes` says of them. */
export const SCOPES_HELP = `  SCOPE is realtime, warehouse (the key's service profile: both kinds of token), machine-account-admin, or country:CODE.
  Countries without a LABEL are the customer's: those of its keys stay within them.
`;

/** Parses scopes as they are typed. Throws a UsageError that names those that there are. */
export function askedScopes(words: readonly string[], table: CountryTable): AskedScopes {
  const countries = words.filter(isCountry).map((word) => word.slice("country:".length));
  const named = words
    .filter((word) => !isCountry(word))
    .map((word) => {
      const known = NAMED.find((name) => name === word);
      if (known) return known;
      const meant = closestName(word, NAMED);
      const hint = meant === undefined ? `these are: ${NAMED.join(", ")}, country:CODE` : `did you mean ${meant}?`;
      throw new UsageError(`${JSON.stringify(word)} is no scope; ${hint}`);
    });
  return { named, countries: requireCountries(table, countries) };
}

/** Whether a word is a country's scope. */
export function isCountry(word: string): boolean {
  return word.toLowerCase().startsWith("country:");
}

/** Grants with scopes added. */
export function withScopes(grants: Grants, { named, countries }: AskedScopes): Grants {
  return {
    service: named.includes("warehouse") ? "warehouse" : grants.service,
    scopes: named.includes("realtime") ? ["realtime"] : grants.scopes,
    countries: [...new Set([...grants.countries, ...countries])],
    machineAccountAdmin: grants.machineAccountAdmin || named.includes("machine-account-admin"),
  };
}

/** Grants with scopes taken away. A key that has lost the warehouse profile has that of storage. */
export function withoutScopes(grants: Grants, { named, countries }: AskedScopes): Grants {
  return {
    service: named.includes("warehouse") ? "storage" : grants.service,
    scopes: named.includes("realtime") ? [] : grants.scopes,
    countries: grants.countries.filter((country) => !countries.includes(country)),
    machineAccountAdmin: grants.machineAccountAdmin && !named.includes("machine-account-admin"),
  };
}
