import { type CountryRules, GEO_TYPES, type GeoType } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import { geoTypesOfProducts } from "../products/catalogue.ts";

/** The geography types that something can be asked for in a country: those of its products and, where people are counted in a grid, those of maps. */
export function offeredGeoTypes(rules: CountryRules): GeoType[] {
  const { grid } = rules;
  const ofProducts = geoTypesOfProducts(rules);
  return GEO_TYPES.filter((type) => ofProducts.has(type) || (grid !== undefined && type !== "osm_links"));
}

/** Throws `unsupported_combination`, with the types that there are, for one that the country does not have. */
export function requireOffered(code: string, rules: CountryRules, type: GeoType): void {
  const allowed = offeredGeoTypes(rules);
  if (allowed.includes(type)) return;
  const detail = allowed.length > 0 ? `must be one of ${allowed.join(", ")} in ${code}` : `is not offered: ${code} has no geographies`;
  throw invalidFields([{ pointer: "/geo_type", detail, allowed }], "unsupported_combination");
}
