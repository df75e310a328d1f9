import { type CountryRules, GEO_TYPES, type GeoType } from "../countries/country-rules.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { invalidFields } from "../http/errors.ts";
import { geoTypesOfProducts, hasRoads } from "../products/catalogue.ts";

/** Returns the geography types that a country offers: those of its products and, if it has a grid, those of maps. */
export function offeredGeoTypes(rules: CountryRules): GeoType[] {
  const { grid } = rules;
  const ofProducts = geoTypesOfProducts(rules);
  return GEO_TYPES.filter((type) => ofProducts.has(type) || (grid !== undefined && type !== "osm_links"));
}

/**
 * Returns whether a country has road links that its products do not count by. They are no geographies of jobs or maps, only lines to show,
 * so they are found by a box.
 */
export function hasRoadsOnly(rules: CountryRules, type: GeoType): boolean {
  return type === "osm_links" && hasRoads(rules) && !offeredGeoTypes(rules).includes(type);
}

/** Throws `unsupported_combination`, with the offered types, for a type that the country does not offer, or only with a box. */
export function requireOffered(code: string, rules: CountryRules, type: GeoType, bbox: Bbox | undefined): void {
  const allowed = offeredGeoTypes(rules);
  if (allowed.includes(type)) return;
  if (hasRoadsOnly(rules, type)) {
    if (bbox) return;
    throw invalidFields([{ pointer: "/bbox", detail: `is required for osm_links in ${code}: no product counts by them there` }]);
  }
  const detail = allowed.length > 0 ? `must be one of ${allowed.join(", ")} in ${code}` : `is not offered: ${code} has no geographies`;
  throw invalidFields([{ pointer: "/geo_type", detail, allowed }], "unsupported_combination");
}
