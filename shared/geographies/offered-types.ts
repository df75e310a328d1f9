import { type CountryRules, GEO_TYPES, type GeoType } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import { geoTypesOfProducts } from "../products/catalogue.ts";

/** Returns the geography types that a country offers: those of its products and, if it has a grid, those of maps. */
export function offeredGeoTypes(rules: CountryRules): GeoType[] {
  const { grid } = rules;
  const ofProducts = geoTypesOfProducts(rules);
  return GEO_TYPES.filter((type) => ofProducts.has(type) || (grid !== undefined && type !== "osm_links"));
}

/** Throws `unsupported_combination`, with the offered types, for a type that the country does not offer. */
export function requireOffered(code: string, rules: CountryRules, type: GeoType): void {
  const allowed = offeredGeoTypes(rules);
  if (allowed.includes(type)) return;
  const detail = allowed.length > 0 ? `must be one of ${allowed.join(", ")} in ${code}` : `is not offered: ${code} has no geographies`;
  throw invalidFields([{ pointer: "/geo_type", detail, allowed }], "unsupported_combination");
}
