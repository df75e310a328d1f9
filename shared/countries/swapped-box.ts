import type { Bbox } from "../geometry/bbox.ts";
import { invalidFields } from "../http/errors.ts";
import type { CountryRules } from "./country-rules.ts";
import { placeOfBox } from "./extents.ts";

/**
 * Throws `invalid_argument` for a box outside the country that would be inside with longitude and latitude in each other's place. Any other
 * box outside is a valid question without geographies: a map may show the sea.
 */
export function requireNotSwapped(bbox: Bbox, code: string, country: CountryRules): void {
  if (placeOfBox(bbox, [country]) !== "swapped") return;
  const detail = `lies outside ${code}; did you swap longitude and latitude? The order is west,south,east,north`;
  throw invalidFields([{ pointer: "/bbox", detail }]);
}
