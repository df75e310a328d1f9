/** The service profiles: which tokens a key may mint. */
export const PROFILES = ["storage", "warehouse"] as const;

/** The scopes that a key may have beyond its profile. */
export const SCOPES = ["realtime"] as const;

/** The grants of a key. */
export interface Grants {
  readonly service: (typeof PROFILES)[number];
  readonly scopes: readonly (typeof SCOPES)[number][];
  readonly countries: readonly string[];
  readonly machineAccountAdmin: boolean;
}

/** Returns why this maker's key cannot create a key with these grants, as a sentence for the maker. Undefined when it can. */
export function grantRefusal(wanted: Grants, maker: Grants): string | undefined {
  if (wanted.service === "warehouse" && maker.service !== "warehouse")
    return "A key with the storage profile cannot make one with the warehouse profile";
  const scope = wanted.scopes.find((one) => !maker.scopes.includes(one));
  if (scope !== undefined) return `A key without the ${scope} scope cannot make one with it`;
  const country = wanted.countries.find((one) => !maker.countries.includes(one));
  return country === undefined ? undefined : `A key that does not cover ${country} cannot make one that does`;
}

/** Returns the grants of a new label: its maker's scopes and countries. Only the operator grants machine-account admin access. */
export function newGrants(maker: Grants, service: Grants["service"] = "storage"): Grants {
  return { service, scopes: maker.scopes, countries: maker.countries, machineAccountAdmin: false };
}
