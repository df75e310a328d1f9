import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { type Place, placeOfBox } from "../countries/extents.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import { ServiceError } from "../http/errors.ts";
import { WholeNumber } from "../http/fields.ts";
import { NEAREST_LINK_METRES, nearestLink } from "./nearest-road-link.ts";
import { nearestLinkStatement } from "./road-link-candidates.ts";

/** The road link of a coordinate. */
export const RoadLink = v.object({
  link_id: WholeNumber,
  link_name: v.string(),
  link_type: v.pipe(v.string(), v.description("Road class of OpenStreetMap, for example primary")),
  distance_m: v.pipe(v.number(), v.description("Metres from the coordinate to the link's line")),
});
export type RoadLink = v.InferOutput<typeof RoadLink>;

/** A coordinate in a country (ISO 3166-1 alpha-3), degrees. */
interface Coordinate {
  readonly country_code: string;
  readonly lat: number;
  readonly lon: number;
}

/** Finds the road link nearest to a coordinate. Throws `not_found` if none is within `NEAREST_LINK_METRES`. */
export async function findRoadLink(
  { country_code, lat, lon }: Coordinate,
  country: CountryRules,
  warehouse: Pick<Warehouse, "query">,
  labels: Labels,
): Promise<RoadLink> {
  const candidates = await warehouse.query(nearestLinkStatement(country_code, [lon, lat]), labels);
  const link = nearestLink([lon, lat], candidates.flat());
  if (link) return link;
  const distance = `${NEAREST_LINK_METRES.toLocaleString("en")} m`;
  const hint = HINTS[placeOfBox([lon, lat, lon, lat], [country])](country_code);
  throw new ServiceError(
    "not_found",
    `No road link of ${country_code} lies within ${distance} of latitude ${lat}, longitude ${lon}${hint}`,
  );
}

/** What the error of a coordinate without a link adds, by where the coordinate lies. */
const HINTS: Readonly<Record<Place, (code: string) => string>> = {
  inside: () => "",
  outside: (code) => `, which is outside ${code}: send the country_code of the place`,
  swapped: (code) => `, which is outside ${code}; did you swap lat and lon?`,
};
