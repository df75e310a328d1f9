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
  /** From when on the key is refused. Null or left out: it has no end. */
  readonly expiresAt?: Date | null | undefined;
}

/** Returns why this creator's key cannot create a key with these grants, as a sentence for the creator. Undefined when it can. */
export function grantRefusal(wanted: Grants, creator: Grants): string | undefined {
  if (wanted.service === "warehouse" && creator.service !== "warehouse")
    return "A key with the storage profile cannot make one with the warehouse profile";
  const scope = wanted.scopes.find((one) => !creator.scopes.includes(one));
  if (scope !== undefined) return `A key without the ${scope} scope cannot make one with it`;
  const country = wanted.countries.find((one) => !creator.countries.includes(one));
  return country === undefined ? undefined : `A key that does not cover ${country} cannot make one that does`;
}

/**
 * Returns why a customer's admin cannot change a key's grants in this way: what the key does not have yet must be in the customer's `allow`.
 * Undefined when it can. Countries and machine-account admin access stay as they are.
 */
export function changeRefusal(
  wanted: Grants,
  present: Grants,
  allow: { readonly scopes: readonly string[]; readonly profiles: readonly string[] },
): string | undefined {
  const scope = wanted.scopes.find((one) => !present.scopes.includes(one) && !allow.scopes.includes(one));
  if (scope !== undefined) return `This customer may not grant the ${scope} scope by itself`;
  const isNew = wanted.service !== present.service && wanted.service === "warehouse";
  return isNew && !allow.profiles.includes("warehouse") ? "This customer may not grant the warehouse profile by itself" : undefined;
}

/**
 * Returns why a key cannot mint a token of its customer's account, as a sentence for its holder. Undefined when it can. The account reads the
 * files of all the customer's countries, or the headcounts of all its maps, so a lesser key would reach beyond its countries and scopes.
 */
export function tokenRefusal(service: Grants["service"], key: Grants, customerCountries: readonly string[]): string | undefined {
  if (service === "warehouse" && key.service !== "warehouse")
    return "This key has the storage profile; a warehouse token needs a key with the warehouse profile";
  if (service === "warehouse" && !key.scopes.includes("realtime"))
    return "This key lacks the realtime scope; a warehouse token reads headcounts, so it needs a key with that scope";
  const missing = customerCountries.filter((country) => !key.countries.includes(country));
  if (missing.length === 0) return undefined;
  const all = `a ${service} token reads the data of all the customer's countries, and this key does not cover ${missing.join(", ")}`;
  const instead =
    service === "storage" ? "sign URLs instead, with POST /data-agg/results/{job_id}/urls" : "read GET /admin/realtime/data instead";
  return `${all}; ${instead}, or use a key that covers them all, which support grants`;
}

/** Returns the grants of a new label: its creator's scopes and countries. Only the operator grants machine-account admin access. */
export function newGrants(creator: Grants, service: Grants["service"] = "storage"): Grants {
  return { service, scopes: creator.scopes, countries: creator.countries, machineAccountAdmin: false };
}
