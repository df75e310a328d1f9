import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { type Place, placeOfBox } from "../countries/extents.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import { ServiceError } from "../http/errors.ts";
import { WholeNumber } from "../http/fields.ts";
import { type LinkCandidate, NEAREST_LINK_METRES, nearestLink } from "./nearest-road-link.ts";
import { nearestLinkStatement } from "./road-link-candidates.ts";

/** The road link of a coordinate. */
export const RoadLink = v.object({
  link_id: WholeNumber,
  link_name: v.string(),
  link_type: v.pipe(v.string(), v.description("Road class of OpenStreetMap, for example primary")),
  distance_m: v.pipe(v.number(), v.description("Metres from the coordinate to the link's line")),
});
export type RoadLink = v.InferOutput<typeof RoadLink>;

/** Longitude and latitude, degrees. */
export const Positions = v.array(v.strictTuple([v.number(), v.number()]));
export const LineString = v.pipe(v.strictObject({ type: v.literal("LineString"), coordinates: Positions }), v.title("LineString"));
export const MultiLineString = v.pipe(
  v.strictObject({ type: v.literal("MultiLineString"), coordinates: v.array(Positions) }),
  v.title("MultiLineString"),
);
const LineGeometry = v.pipe(
  v.variant("type", [LineString, MultiLineString]),
  v.metadata({ title: "LineGeometry", discriminator: { propertyName: "type" } }),
);
type LineGeometry = v.InferOutput<typeof LineGeometry>;

/** The road link of a coordinate, as a preview shows it. */
export const PreviewLink = v.pipe(
  v.strictObject({
    link_id: RoadLink.entries.link_id,
    link_name: RoadLink.entries.link_name,
    geometry: v.pipe(LineGeometry, v.description("The whole link (WGS 84); several lines only where a link has gaps")),
  }),
  v.title("RoadLink"),
);

/** A coordinate in a country (ISO 3166-1 alpha-3), degrees. */
interface Coordinate {
  readonly country_code: string;
  readonly lat: number;
  readonly lon: number;
}

/** Finds the road link nearest to a coordinate, with its line. Throws `not_found` if none is within `NEAREST_LINK_METRES`. */
export async function findRoadLink(
  { country_code, lat, lon }: Coordinate,
  country: CountryRules,
  warehouse: Pick<Warehouse, "query">,
  labels: Labels,
): Promise<RoadLink & { readonly geometry: LineGeometry }> {
  const candidates = (await warehouse.query(nearestLinkStatement(country_code, [lon, lat]), labels)).flat();
  const link = nearestLink([lon, lat], candidates);
  if (link) return { ...link, geometry: lineGeometry(candidates.filter(({ link_id }) => link_id === link.link_id)) };
  const distance = `${NEAREST_LINK_METRES.toLocaleString("en")} m`;
  const hint = HINTS[placeOfBox([lon, lat, lon, lat], [country])](country_code);
  throw new ServiceError(
    "not_found",
    `No road link of ${country_code} lies within ${distance} of latitude ${lat}, longitude ${lon}${hint}`,
  );
}

/** Returns the geometry of a link from its lines. */
function lineGeometry(candidates: readonly LinkCandidate[]): LineGeometry {
  const lines = candidates.map(({ line }) => line.map(([lon, lat]): [number, number] => [lon, lat]));
  const [line] = lines;
  return line && lines.length === 1 ? { type: "LineString", coordinates: line } : { type: "MultiLineString", coordinates: lines };
}

/** What the error of a coordinate without a link adds, by where the coordinate lies. */
const HINTS: Readonly<Record<Place, (code: string) => string>> = {
  inside: () => "",
  outside: (code) => `, which is outside ${code}: send the country_code of the place`,
  swapped: (code) => `, which is outside ${code}; did you swap lat and lon?`,
};
